import type { Minor } from '@malipo/kernel/money'

/** What an account number stands for. */
export interface PayBillTarget {
  readonly amountMinor: Minor
  readonly isWalletOpen: boolean
  readonly isPaid: boolean
}

export type PayBillVerdict = 'accepted' | 'unknown_account' | 'wrong_amount'

/**
 * Whether a payment should be taken. What would only lie in suspense is refused while the payer still has the money:
 * an account that nobody has or that needs no more, or another amount than was agreed. That a checkout has expired is
 * no reason: the exact amount completes it.
 */
export function payBillVerdict(
  target: PayBillTarget | undefined,
  amountMinor: Minor,
): PayBillVerdict {
  if (!target?.isWalletOpen || target.isPaid) return 'unknown_account'
  return target.amountMinor === amountMinor ? 'accepted' : 'wrong_amount'
}
