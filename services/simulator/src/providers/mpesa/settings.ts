import type { Profile } from '../rules/profile'

/**
 * The one merchant that this Daraja knows: an app with its credentials, a Pay Bill number with its passkey, and
 * perhaps a till, for which that number is the store number.
 */
export interface MpesaSettings {
  readonly consumerKey: string
  readonly consumerSecret: string
  readonly shortCode: string
  /** Further Pay Bill numbers of that merchant, with the same credentials. */
  readonly furtherShortCodes?: readonly string[] | undefined
  /** The number that payers type under Lipa na M-PESA, Buy Goods; undefined of a merchant without a till. */
  readonly till?: string | undefined
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

export const payerNumberModes = ['by_version', 'hashed', 'masked', 'plain'] as const
export type PayerNumbers = (typeof payerNumberModes)[number]
