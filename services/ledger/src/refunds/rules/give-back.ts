import type { Minor } from '@malipo/kernel/money'
import { cardFeeAccount, floatAccount } from '../../journal/rules/postings'
import { intentMachine } from '../../intents/rules/intent'
import { noteEvent } from '../../webhooks/rules/payment-event'
import type { Intent, Transfer } from '../../evidence/rules/state'
import { type RefundState, type RefundWrites, subjectOf } from './state'

/**
 * Posts that the money of a receipt went back, and reverses the payment that had it. Throws where no account has
 * the money: it went back before, or never came.
 */
export function giveBack(
  state: Pick<RefundState, 'now' | 'refund' | 'money' | 'intents'>,
): Pick<RefundWrites, 'transfers' | 'intents' | 'paymentEvents'> {
  const changes = state.intents.flatMap((before) => {
    const after = reversed(before)
    return after === undefined ? [] : [{ before, after }]
  })
  return {
    transfers: transfersOf(state),
    intents: changes.map(({ after }) => after),
    paymentEvents: changes.flatMap(({ before, after }) => {
      const isCheckoutPaid = before.disposition === 'merchant'
      return noteEvent(before.checkoutId, { before, after, isCheckoutPaid }) ?? []
    }),
  }
}

function transfersOf({
  now,
  refund,
  money,
}: Pick<RefundState, 'now' | 'refund' | 'money'>): Transfer[] {
  const subject = subjectOf(refund)
  if (money?.holder == null) {
    throw new Error(`the money of ${subject} is in no account, so it cannot go back`)
  }
  const { holder, minor, feeMinor, holderMinor } = money
  const has = isWallet(holder) ? least(minor, holderMinor) : minor
  const debits: readonly (readonly [account: string, minor: Minor])[] = [
    [holder, has],
    [holder.replace(/^wallet:/, 'receivable:'), minor - has],
    [cardFeeAccount, feeMinor],
  ]
  return debits
    .filter(([, amount]) => amount > 0n)
    .map(([debit, amount], leg) => ({
      ...{ eventKey: `refunded:${subject}`, leg, debit, minor: amount },
      ...{ credit: floatAccount(refund.provider), eventAt: now },
    }))
}

/** Only a wallet may have less than the refund: it gives what it has, and its owner owes the rest. */
function isWallet(account: string): boolean {
  return account.startsWith('wallet:')
}

function least(wanted: Minor, has: Minor): Minor {
  if (has <= 0n) return 0n
  return has < wanted ? has : wanted
}

/** An intent whose held money was placed elsewhere has no money any more, so it is not reversed. */
function reversed(intent: Intent): Intent | undefined {
  const { status, disposition } = intent
  const next = intentMachine[status].reversed
  const hasMoney = status === 'completed' && disposition !== null && disposition !== 'placed'
  if (!hasMoney || next === null) return undefined
  return {
    ...{ ...intent, status: next, event: 'reversed' },
    disposition: disposition === 'merchant' ? 'merchant' : 'refunded',
  }
}
