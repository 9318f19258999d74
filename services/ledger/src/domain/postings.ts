import type { Rail } from '@malipo/kernel/countries'
import { floatAccount, providerOf, suspenseAccount, suspenseReasonOf, walletAccount } from './chart'
import type { Disposition } from './settle'

/** Money came in over a rail: what we own there grows. */
export function debitOf(rail: Rail): string {
  return floatAccount(providerOf[rail])
}

/** And so does what we owe: to the merchant, or to the later owner of money in suspense. */
export function creditOf(disposition: Disposition, merchantAccountId: string): string {
  const reason = suspenseReasonOf[disposition]
  return reason === undefined ? walletAccount(merchantAccountId) : suspenseAccount(reason)
}
