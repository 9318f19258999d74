import type { Minor } from '@malipo/kernel/money'

/** What an account number stands for. */
export interface PayBillTarget {
  /** What is asked for, or undefined for a handle, whose payer says how much. */
  readonly askedMinor: Minor | undefined
  readonly isWalletOpen: boolean
  readonly isPaid: boolean
}

export type PayBillVerdict = 'accepted' | 'unknown_account' | 'wrong_amount'

/**
 * Whether a payment should be taken. What would only lie in suspense is refused while the payer still has the money:
 * an account that is unknown or needs no more, or another amount than was agreed. That a checkout has expired is
 * no reason: the exact amount completes it.
 */
export function payBillVerdict(
  target: PayBillTarget | undefined,
  paid: { readonly amountMinor: Minor; readonly isWithinLimits: boolean },
): PayBillVerdict {
  if (!target?.isWalletOpen || target.isPaid) return 'unknown_account'
  const isRight =
    target.askedMinor === undefined ? paid.isWithinLimits : target.askedMinor === paid.amountMinor
  return isRight ? 'accepted' : 'wrong_amount'
}
