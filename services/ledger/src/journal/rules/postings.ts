import { countries, type Country, type Rail } from '@malipo/kernel/countries'

/** Where received money goes. It is always posted; only the credit side varies. */
export const dispositions = [
  'merchant',
  'suspense_duplicate',
  'suspense_mismatch',
  'suspense_unmatched',
] as const
export type Disposition = (typeof dispositions)[number]

export const checkoutStates = ['unpaid', 'paid'] as const
export const amountMatches = ['exact', 'differs'] as const
export const walletStates = ['open', 'frozen'] as const
export type CheckoutPaid = (typeof checkoutStates)[number]
export type AmountMatch = (typeof amountMatches)[number]
export type WalletState = (typeof walletStates)[number]

/**
 * The exact amount completes a checkout that is not paid yet, also one that has expired: the money landed. Neither
 * under- nor overpayment ever completes one, and two halves are not added up. A wallet that was frozen after the
 * prompt went out cannot take the money, so it waits for a person.
 */
export const dispositionOf = {
  unpaid: {
    exact: { open: 'merchant', frozen: 'suspense_unmatched' },
    differs: { open: 'suspense_mismatch', frozen: 'suspense_mismatch' },
  },
  paid: {
    exact: { open: 'suspense_duplicate', frozen: 'suspense_duplicate' },
    differs: { open: 'suspense_duplicate', frozen: 'suspense_duplicate' },
  },
} as const satisfies Record<CheckoutPaid, Record<AmountMatch, Record<WalletState, Disposition>>>

/** Whose receipt numbers they are. A Pay Bill payment and a prompt of M-Pesa share one series of receipts. */
export const providerOf = {
  mpesa: 'mpesa',
  paybill: 'mpesa',
  mtn_momo: 'mtn_momo',
  airtel_money: 'airtel_money',
  card: 'card',
} as const satisfies Record<Rail, string>
export type Provider = (typeof providerOf)[Rail]

/** What we own at a provider; of cards, what the acquiring bank owes us until it pays out. */
export function floatAccount(provider: Provider): string {
  return `float:${provider}`
}

/** What we owe a merchant. */
export function walletAccount(accountId: string): string {
  return `wallet:${accountId}`
}

/** What payers by card pay on top: ours. */
export const cardFeeAccount = 'fee:card'

/** What we hold and could not place, by reason. */
export type SuspenseReason = 'duplicate' | 'mismatch' | 'unmatched' | 'unconfirmed'

export const suspenseReasonOf = {
  merchant: undefined,
  suspense_duplicate: 'duplicate',
  suspense_mismatch: 'mismatch',
  suspense_unmatched: 'unmatched',
} as const satisfies Record<Disposition, SuspenseReason | undefined>

export function suspenseAccount(reason: SuspenseReason): string {
  return `suspense:${reason}`
}

/** The accounts that every ledger of a country has from the start; wallets come with their owners. */
export function chartOf(country: Country): string[] {
  const reasons = ['duplicate', 'mismatch', 'unmatched', 'unconfirmed'] as const
  const providers = new Set(
    [...countries[country].mobileRails, 'card' as const].map((rail) => providerOf[rail]),
  )
  return [...[...providers].map(floatAccount), ...reasons.map(suspenseAccount), cardFeeAccount]
}

/** Money came in over a rail: what we own there grows. */
export function debitOf(rail: Rail): string {
  return floatAccount(providerOf[rail])
}

/** And so does what we owe: to the merchant, or to the later owner of money in suspense. */
export function creditOf(disposition: Disposition, merchantAccountId: string): string {
  const reason = suspenseReasonOf[disposition]
  return reason === undefined ? walletAccount(merchantAccountId) : suspenseAccount(reason)
}
