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
  /** Who may give orders for the short code; without one every order is refused. */
  readonly operator?: Operator | undefined
}

export interface Operator {
  readonly initiator: string
  /** Opaque here: whether it was encrypted well is between its owner and Safaricom's certificate. */
  readonly securityCredential: string
}

export const payerNumberModes = ['by_version', 'hashed', 'masked', 'plain'] as const
export type PayerNumbers = (typeof payerNumberModes)[number]
