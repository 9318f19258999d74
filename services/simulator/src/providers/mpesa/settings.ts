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
  readonly profile: Profile
  /** Who may give orders for the short code; without one every order is refused. */
  readonly operator?: Operator | undefined
}

/** Known by one of the two, or by either. */
export interface Operator {
  readonly initiator: string
  /** As it comes, whatever it was encrypted with. */
  readonly securityCredential?: string | undefined
  /** What a credential must hold that was encrypted with the simulator's own key. */
  readonly password?: string | undefined
}

/** How strict the rules for fields are: as Daraja documents them, or as its hosts have been seen to apply them. */
export const profiles = ['strict', 'as-observed'] as const
export type Profile = (typeof profiles)[number]

export const payerNumberModes = ['by_version', 'hashed', 'masked', 'plain'] as const
export type PayerNumbers = (typeof payerNumberModes)[number]
