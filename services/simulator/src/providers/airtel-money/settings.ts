/** The one merchant of the simulated Airtel: an application with its credentials and its settings in the portal. */
export interface AirtelMoneySettings {
  readonly clientId: string
  readonly clientSecret: string
  /** Whether payments by v2 must be signed, a setting of each application; if not, unsigned ones are taken too. */
  readonly messageSigning: boolean
  /** The most calls in a minute; when absent there is no limit, and no header that names one. */
  readonly callsPerMinute?: number | undefined
  /** What the payer reads on the prompt. */
  readonly businessName: string
  /** The callback address of the application in a country; without one no callback is sent there. */
  readonly callbackUrls: Readonly<Partial<Record<Market['country'], string | undefined>>>
  /** Signs callbacks; undefined while callback authentication is off. */
  readonly callbackKey: string | undefined
}

/** A country that the application may take payments in, with its names in calls and the form of its phone numbers. */
export interface Market {
  readonly country: 'UG' | 'KE'
  readonly currency: 'UGX' | 'KES'
  readonly callingCode: string
  /** What a number looks like without its country code. */
  readonly national: RegExp
  /** Airtel has no merchant number on this wire; this is what rules and the book call the merchant. */
  readonly business: string
}

export const markets: readonly Market[] = [
  {
    ...{ country: 'UG', currency: 'UGX', callingCode: '256' },
    ...{ national: /^7\d{8}$/, business: 'airtel-ug' },
  },
  {
    ...{ country: 'KE', currency: 'KES', callingCode: '254' },
    ...{ national: /^[17]\d{8}$/, business: 'airtel-ke' },
  },
]
