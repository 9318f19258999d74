import type { Profile } from '../rules/profile'

/**
 * The one merchant of the simulated Daraja: an app with its credentials, a Pay Bill number with its passkey, and
 * perhaps a till, for which that number is the store number.
 */
export interface MpesaSettings {
  readonly consumerKey: string
  readonly consumerSecret: string
  readonly shortCode: string
  /** Further Pay Bill numbers of that merchant, with the same credentials. */
  readonly furtherShortCodes?: readonly string[] | undefined
  /** The number that payers type under Lipa na M-PESA, Buy Goods; undefined for a merchant without a till. */
  readonly till?: string | undefined
  readonly passkey: string
  /** What the payer reads on the prompt. */
  readonly businessName: string
  /** Whether amounts with cents are refused, as Daraja does. Off by default, so that such amounts can be tried. */
  readonly wholeShillings: boolean
  /** Whether the merchant is asked before a payment from the menu; Safaricom's own default is off. */
  readonly externalValidation: boolean
  /** How a Pay Bill payment shows its payer: `by_version` hashes for v1 of the registration, and masks for v2. */
  readonly payerNumbers: PayerNumbers
  readonly profile: Profile
  /** Who may order payouts, reversals and queries for the short code; without one every order ends with `2001`. */
  readonly operator?: Operator | undefined
}

/** An operator is known by one of `securityCredential` and `password`, or by either of them where both are set. */
export interface Operator {
  readonly initiator: string
  /** Compared with the request as text, whatever key it was encrypted with. */
  readonly securityCredential?: string | undefined
  /** The password in a credential that a client encrypted with the simulator's own key. */
  readonly password?: string | undefined
}

export const payerNumberModes = ['by_version', 'hashed', 'masked', 'plain'] as const
export type PayerNumbers = (typeof payerNumberModes)[number]

type Numbers = Pick<MpesaSettings, 'shortCode' | 'furtherShortCodes' | 'till'>

/** What payers can pay to: the Pay Bill numbers, and the till where there is one. */
export function receivingNumbers({ till, ...numbers }: Numbers): readonly string[] {
  return till === undefined ? shortCodes(numbers) : [...shortCodes(numbers), till]
}

/** Whether pushes can be signed with a number, and orders be given for it. */
export function isShortCode(numbers: Numbers, business: string): boolean {
  return shortCodes(numbers).includes(business)
}

function shortCodes({
  shortCode,
  furtherShortCodes = [],
}: Omit<Numbers, 'till'>): readonly string[] {
  return [shortCode, ...furtherShortCodes]
}

export function isReceivingNumber(numbers: Numbers, business: string): boolean {
  return receivingNumbers(numbers).includes(business)
}

/** A till has no account numbers. */
export function isTill({ till }: Numbers, business: string): boolean {
  return business === till
}
