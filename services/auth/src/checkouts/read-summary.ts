import type { PaymentDayView, SummaryView } from '@malipo/interface/hub'
import { succeed } from '@malipo/runtime/answer'
import type { Hub } from '../operation'
import { type PaymentDay, paymentDays, unpaidCauses } from './rules/payment-days'
import type { VisitOperation } from '../sessions/signed-in'

/** The most days of a summary. The ledger may count fewer days, and the hub then says so. */
const daysMax = 14

/**
 * `GET /v1/hub/summary`: the payments of two weeks by local day and rail, and what waits for the owner. Fault:
 * ledger_unavailable.
 */
export function readSummary({ ledgers }: Hub): VisitOperation {
  return async (_request, { account }) => {
    const { accountId } = account
    const ledger = ledgers.of(account)
    const [counted, webhooks] = await Promise.all([
      ledger.countPayments(accountId, daysMax),
      ledger.readWebhooks(accountId),
    ])
    const view: SummaryView = {
      days_max: daysMax,
      days: paymentDays(counted, counted.counts).map(showDay),
      causes: unpaidCauses(counted.counts).map((one) => ({ ...one, cause: one.cause ?? null })),
      held_checkouts: counted.heldCheckouts,
      webhooks_off: webhooks.states.filter(({ offAt }) => offAt !== undefined).length,
      webhooks_failing: webhooks.states.filter(
        ({ offAt, failingSince }) => offAt === undefined && failingSince !== undefined,
      ).length,
    }
    return succeed(200, 'Summary', view)
  }
}

function showDay({ day, rails }: PaymentDay): PaymentDayView {
  return {
    day,
    rails: rails.map(({ paidMinor, ...rest }) => ({ ...rest, received: String(paidMinor) })),
  }
}
