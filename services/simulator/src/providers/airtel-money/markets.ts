/** A country that the application may take payments in: what its calls name it, and its numbers. */
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
