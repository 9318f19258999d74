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
}
