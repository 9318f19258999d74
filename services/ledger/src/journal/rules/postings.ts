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
 * The exact amount completes a checkout that is not paid yet, even one that has expired, because the money has come. Any
 * other amount never completes a checkout, and two halves are not added up. A wallet that was frozen after the prompt was
 * sent cannot take the money, so the money waits in suspense for operators.
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

/** The provider that numbers the receipts of a rail. Pay Bill payments and prompts of M-Pesa share one series. */
export const providerOf = {
  mpesa: 'mpesa',
  paybill: 'mpesa',
  mtn_momo: 'mtn_momo',
  airtel_money: 'airtel_money',
  card: 'card',
} as const satisfies Record<Rail, string>
export type Provider = (typeof providerOf)[Rail]

/** The account of what we own at a provider. For cards this is what the acquiring bank owes us until it pays out. */
export function floatAccount(provider: Provider): string {
  return `float:${provider}`
}

/** The account of what we owe a merchant. */
export function walletAccount(accountId: string): string {
  return `wallet:${accountId}`
}

/** The account of the fee that payers by card pay on top, which is ours. */
export const cardFeeAccount = 'fee:card'

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

/** The account that received money is debited to: what we own at the provider of its rail grows. */
export function debitOf(rail: Rail): string {
  return floatAccount(providerOf[rail])
}

/**
 * The account that received money is credited to: what we owe the merchant, or the later owner of money in suspense.
 */
export function creditOf(disposition: Disposition, merchantAccountId: string): string {
  const reason = suspenseReasonOf[disposition]
  return reason === undefined ? walletAccount(merchantAccountId) : suspenseAccount(reason)
}
