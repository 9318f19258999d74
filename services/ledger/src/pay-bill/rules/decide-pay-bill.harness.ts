import { now, pending } from '../../evidence/rules/decide-evidence.harness'
import { type Intent, later } from '../../evidence/rules/state'
import { decidePayBill } from './decide-pay-bill'
import type { PaidFact, PayBillState } from './state'

export { now }

const paid: PaidFact = {
  ...{
    kind: 'receipt',
    receipt: 'R1',
    amountMinor: 50_000n,
    paidAt: undefined,
  },
  ...{
    account: 'CS00005724',
    payee: undefined,
    isPayeeUnknown: false,
    phone: '2547***149',
  },
  ...{
    isWithinLimits: true,
    isSigned: true,
    wholeMajorsOnly: false,
    holdSeconds: 600,
  },
  unconfirmedMaxMinor: 100_000n,
}

export const intent: Intent = {
  ...pending,
  ...{ submittedAt: later(now, -9), askedAt: null, nextActionAt: null, queryAt: null },
}

export const checkout = { id: 'cs_1', accountId: 'acc_1', amountMinor: 50_000n }

/** How a case differs from a valid callback about the account number of a checkout. */
export interface Changes extends Omit<Partial<PayBillState>, 'message'> {
  readonly message?: Partial<PayBillState['message']>
  readonly fact?: Partial<PaidFact>
}

export function decide({ message, fact, ...changes }: Changes = {}) {
  const state: PayBillState = {
    now,
    message: {
      ...{
        id: 'pm_1',
        kind: 'callback',
        isSourceKnown: true,
        result: null,
        strength: null,
      },
      ...message,
    },
    ...{
      checkout,
      intent: undefined,
      wallet: { accountId: 'acc_1', state: 'open' },
    },
    ...{ isCheckoutPaid: false, isPostedByHand: false, postedMinor: undefined },
    ...{ isReceiptOfAnother: false, reports: [] },
    ...changes,
  }
  return decidePayBill(state, {
    ...{ messageId: 'pm_1', newIntentId: 'pi_new', fact: { ...paid, ...fact } },
  })
}
