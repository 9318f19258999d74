/** The one merchant that this Airtel knows: an application with its credentials and its settings in the portal. */
export interface AirtelMoneySettings {
  readonly clientId: string
  readonly clientSecret: string
  /** What the payer reads on the prompt. */
  readonly businessName: string
  /** Where all payments of the application are called back; without one nobody is. */
  readonly callbackUrl: string | undefined
  /** Seals callbacks when callback authentication is switched on. */
  readonly callbackKey: string | undefined
}
