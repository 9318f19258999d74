import {
  AskRefundOutcome,
  RefundEnd,
  RefundSender,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { LedgerCalls } from '@malipo/ledger-client/connection'
import { type Done, doneIf } from './done'
import { type Connections, ledgerOf } from './ledgers'

/** What an operator entered on the command line. */
export interface Order {
  readonly subject: string
  readonly country?: string | undefined
  readonly note: string
}

type Made = 'placementId' | 'intentId' | 'refundId' | 'closingId' | 'postingId' | 'freezingId'

/** What a ledger answers to an act; at most one id is there, which is shown. */
type Answer = { readonly outcome: string } & Readonly<Partial<Record<Made, string | undefined>>>

const portalFirst = "give it back in the provider's portal, then ask again with --done"

/** What to do about a refusal, where the outcome alone does not say it. */
const adviceOf: Readonly<Record<string, string>> = {
  [AskRefundOutcome.RAIL_WITHOUT_REFUNDS]: `(${portalFirst})`,
}

/** Asks the ledger of the subject. `whenDone` matches the outcomes that count as success. */
function act<Details>(
  whenDone: RegExp,
  ask: (writes: LedgerCalls, order: Omit<Order, 'country'>, details: Details) => Promise<Answer>,
) {
  return async (
    connections: Connections,
    { country, ...order }: Order,
    details: Details,
  ): Promise<Done> => {
    const { writes } = ledgerOf(connections, order.subject, country)
    const { outcome, ...ids } = await ask(writes, order, details)
    return doneIf(outcome, whenDone, adviceOf[outcome] ?? Object.values(ids)[0])
  }
}

const whenAsked = /_OUTCOME_ASKED$/

interface Owner {
  readonly $case: 'checkoutId' | 'accountId'
  readonly value: string
}

/** Asks to give held money to its owner. */
export const askPlacement = act(whenAsked, (writes, order, owner: Owner) =>
  writes.askPlacement({ ...order, owner }),
)

const decidePlacement = act(
  /_OUTCOME_(?:PLACED|WITHDRAWN)$/,
  (writes, { subject: placementId, note }, agreed: boolean) =>
    writes.decidePlacement({ placementId, agreed, note }),
)

/** `isDoneThere`: the money went back at the provider already, and the refund only has to be recorded. */
export const askRefund = act(whenAsked, (writes, order, isDoneThere: boolean) =>
  writes.askRefund({ ...order, sentBy: isDoneThere ? RefundSender.PROVIDER : RefundSender.US }),
)

const decideRefund = act(
  /_OUTCOME_(?:APPROVED|PAID|WITHDRAWN)$/,
  (writes, { subject: refundId, note }, agreed: boolean) =>
    writes.decideRefund({ refundId, agreed, note }),
)

/** Approves a placement or a refund that another operator asked for, or withdraws it. */
export const decideOrder: typeof decideRefund = (connections, order, agreed) => {
  const decide = order.subject.startsWith('pl_') ? decidePlacement : decideRefund
  return decide(connections, order, agreed)
}

const endOf = (isPaid: boolean) => (isPaid ? RefundEnd.PAID : RefundEnd.FAILED)

/** Asks to record how a refund ended when the provider never reported its end. */
export const askRefundClosing = act(
  whenAsked,
  (writes, { subject: refundId, note }, isPaid: boolean) =>
    writes.askRefundClosing({ refundId, end: endOf(isPaid), note }),
)

/** Agrees to a closing that another operator asked for, when it is asked for as that end. */
export const approveRefundClosing = act(
  /_OUTCOME_(?:PAID|FAILED)$/,
  (writes, { subject: refundId, note }, isPaid: boolean) =>
    writes.decideRefundClosing({ refundId, agreed: true, end: endOf(isPaid), note }),
)

export const withdrawRefundClosing = act(
  /_OUTCOME_WITHDRAWN$/,
  (writes, { subject: refundId, note }) =>
    writes.decideRefundClosing({ refundId, agreed: false, note }),
)

/** Asks to close a report of a payment that the provider has no record of. */
export const askReportClosing = act(whenAsked, (writes, order) => writes.askReportClosing(order))

/** What an operator read in the provider's portal. */
interface SeenPayment {
  readonly receipt: string
  /** In major units. */
  readonly amount: string
}

/** Asks to post the money of an attempt that was reported as paid, by its intent. */
export const askReportPosting = act(
  whenAsked,
  (writes, { subject: intentId, note }, seen: SeenPayment) =>
    writes.askReportPosting({ intentId, ...seen, note }),
)

const decideReportClosing = act(
  /_OUTCOME_(?:CLOSED|WITHDRAWN)$/,
  (writes, { subject: closingId, note }, agreed: boolean) =>
    writes.decideReportClosing({ closingId, agreed, note }),
)

const decideReportPosting = act(
  /_OUTCOME_(?:POSTED|WITHDRAWN)$/,
  (writes, { subject: postingId, note }, agreed: boolean) =>
    writes.decideReportPosting({ postingId, agreed, note }),
)

/** Approves the closing of a report or a posting that another operator asked for, or withdraws it. */
export const decideReport: typeof decideReportPosting = (connections, order, agreed) => {
  const decide = order.subject.startsWith('rp_') ? decideReportPosting : decideReportClosing
  return decide(connections, order, agreed)
}

/** Asks to freeze the wallet of an account, which then takes no money, or to thaw it. */
export const askFreezing = act(whenAsked, (writes, { subject: accountId, note }, frozen: boolean) =>
  writes.askFreezing({ accountId, frozen, note }),
)

export const decideFreezing = act(
  /_OUTCOME_(?:FROZEN|THAWED|WITHDRAWN)$/,
  (writes, { subject: freezingId, note }, agreed: boolean) =>
    writes.decideFreezing({ freezingId, agreed, note }),
)

/** Switches cards on or off for the checkouts of an account, at once. */
export const switchCards = act(
  /_OUTCOME_SWITCHED_(?:ON|OFF)$/,
  (writes, { subject: accountId, note }, isOn: boolean) =>
    writes.switchCards({ accountId, on: isOn, note }),
)
