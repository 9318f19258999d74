import { majorText, type Minor } from '@malipo/kernel/money'
import { exportedCheckoutsMax, foundCheckoutsMax, type PaymentView } from '@malipo/interface/hub'
import type { ListedCheckout } from '@malipo/ledger-client/checkouts'
import type { Ledger } from '@malipo/ledger-client/ledger'
import type { Hub } from '../operation'
import { csvAnswer } from '../wallets/csv-answer'
import { filterSchema, questionOf } from './list-checkouts'
import { readQuery } from '../hub-server/read-query'
import { showCheckout } from './show-checkout'
import type { VisitOperation } from '../sessions/signed-in'

const pageLength = 50

/**
 * `GET /v1/hub/checkouts.csv`: the filtered list as a file, whose last line says so when it leaves some out. Faults:
 * invalid_request, rate_limited, ledger_unavailable.
 */
export function exportCheckouts({ ledgers, limitVisits }: Hub): VisitOperation {
  return async (request, { account }) => {
    const { accountId } = account
    const question = questionOf(readQuery(filterSchema, request))
    limitVisits('file', accountId)
    const ledger = ledgers.of(account)
    const { checkouts, hasMore } = await readAll(ledger, accountId, question)
    const isCut = await isSearchCut(ledger, accountId, question.search)
    const note = hasMore ? endsEarly : isCut ? searchEnds : undefined
    const rows = [...checkouts.map(rowOf), ...(note === undefined ? [] : [{ id: note }])]
    return csvAnswer('checkouts.csv', columns, rows)
  }
}

/** The last line of a file that leaves checkouts out, so that it is not taken for all of them. */
const endsEarly = `More checkouts match than the ${exportedCheckoutsMax.toLocaleString('en')} of a file: filter by fewer days or by an hour`
const searchEnds = `A search finds ${String(foundCheckoutsMax)} checkouts at most, so there may be more: search for a longer reference`

/** Whether a search finds as many as it can. The other filters leave some of these, so their number does not show it. */
async function isSearchCut(ledger: Ledger, accountId: string, search = ''): Promise<boolean> {
  if (search === '') return false
  const { checkouts } = await readAll(ledger, accountId, questionOf({ search }))
  return checkouts.length >= foundCheckoutsMax
}

async function readAll(
  ledger: Ledger,
  accountId: string,
  question: ReturnType<typeof questionOf>,
): Promise<{ readonly checkouts: readonly ListedCheckout[]; readonly hasMore: boolean }> {
  const all: ListedCheckout[] = []
  let hasMore = true
  while (hasMore && all.length < exportedCheckoutsMax) {
    const page = { ...question, limit: pageLength, beforeCheckoutId: all.at(-1)?.checkoutId }
    const { rows, hasMore: isThereMore } = await ledger.listCheckouts(accountId, page)
    all.push(...rows)
    hasMore = isThereMore
  }
  return { checkouts: all, hasMore }
}

function rowOf(checkout: ListedCheckout): Readonly<Record<string, unknown>> {
  const { payment, ...view } = showCheckout(checkout)
  const amount = majorText(checkout.amountMinor)
  return {
    ...{ ...view, amount, paid_by: paidBy(payment) },
    receipt: payment?.provider_receipt,
    cause: payment?.cause,
    received: received(checkout, majorText),
    rail: payment?.rail,
    intent_id: payment?.intent_id,
    payment_status: payment?.status,
    amount_minor: view.amount,
    received_minor: received(checkout, String),
  }
}

/** The column `paid_by`: empty before the first intent, a dash where the payer gave no phone. */
function paidBy(payment: PaymentView | null): string {
  return payment === null ? '' : (payment.phone ?? '–')
}

/** The amount received, which may exceed the price: M-PESA takes whole shillings only. */
function received({ status, payment }: ListedCheckout, show: (minor: Minor) => string): string {
  const minor = status === 'completed' ? payment?.settledMinor : undefined
  return minor === undefined ? '' : show(minor)
}

/**
 * `amount` and `received` are in major units of `currency`, for people; fields that end in `_minor` are as in the
 * API.
 */
const columns = [
  ...['id', 'status', 'amount', 'currency', 'reference', 'description', 'created_at', 'expires_at'],
  ...['completed_at', 'paid_after_expiry', 'paid_by', 'receipt', 'cause', 'money_held', 'received'],
  ...['rail', 'intent_id', 'amount_minor', 'received_minor', 'may_have_paid', 'payment_status'],
] as const
