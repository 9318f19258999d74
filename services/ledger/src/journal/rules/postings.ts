import type { Country, Rail } from '@malipo/kernel/countries'
import type { Disposition } from './settle'

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

const providers = {
  ke: ['mpesa', 'card'],
  ug: ['mtn_momo', 'airtel_money', 'card'],
} as const satisfies Record<Country, readonly Provider[]>

/** The accounts that every ledger of a country has from the start; wallets come with their owners. */
export function chartOf(country: Country): string[] {
  const reasons = ['duplicate', 'mismatch', 'unmatched', 'unconfirmed'] as const
  return [...providers[country].map(floatAccount), ...reasons.map(suspenseAccount), cardFeeAccount]
}
