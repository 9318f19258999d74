/** The one merchant that this Daraja knows: an app with its credentials, and a Pay Bill number with its passkey. */
export interface MpesaSettings {
  readonly consumerKey: string
  readonly consumerSecret: string
  readonly shortCode: string
  readonly passkey: string
  /** What the payer reads on the prompt. */
  readonly businessName: string
  /** The real Daraja takes whole shillings only. Off, so that amounts with cents can be tried (decisions.md). */
  readonly wholeShillings: boolean
  /** How a Pay Bill payment shows its payer: `by_version` hashes for v1 of the registration, and masks for v2. */
  readonly payerNumbers: PayerNumbers
}

export const payerNumberModes = ['by_version', 'hashed', 'masked', 'plain'] as const
export type PayerNumbers = (typeof payerNumberModes)[number]
