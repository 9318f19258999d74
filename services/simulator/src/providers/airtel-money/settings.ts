import type { Market } from './markets'

/** The one merchant that this Airtel knows: an application with its credentials and its settings in the portal. */
export interface AirtelMoneySettings {
  readonly clientId: string
  readonly clientSecret: string
  /** Messages of v2 must be signed, as switched on for an application; else unsigned ones are taken too. */
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
