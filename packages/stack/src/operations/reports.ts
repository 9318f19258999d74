import type { PaymentReport } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { majorText } from '@malipo/kernel/money'
import { type Done, doneIf } from './done'
import { inEveryLedger, type Listing, listingOf } from './every-ledger'
import { type CellConnection, type Connections, ledgerOf } from './ledgers'
import type { Order } from './suspense'
import { ageText } from './text-table'

/** The maximum of listed reports for each kind and country. */
const listedMax = 50

/** Lists payments that were reported as paid and are in no journal, with their age at `nowMs`. */
export async function listReports(connections: Connections, nowMs: number): Promise<Listing> {
  const { answers, failures } = await inEveryLedger(connections, (one) => listOf(one, nowMs))
  const lists = answers.map(([, list]) => list)
  const head = [
    'country',
    'report',
    'signed or Pay Bill',
    'amount',
    'age',
    'checkout',
    'intent',
    'asked for',
  ]
  const more = lists.flatMap(({ counts }) => counts)
  return listingOf([head, ...lists.flatMap(({ rows }) => rows)], more, failures)
}

async function listOf({ place, reads }: CellConnection, nowMs: number) {
  const list = await reads.listReports({ limit: listedMax })
  const rows = list.reports.map((report) => [place, ...cellsOf(report, nowMs)])
  const { signedTotal, unsignedTotal } = list
  const isCut = Math.max(signedTotal, unsignedTotal) > listedMax
  const count = `${place}: ${String(signedTotal)} signed and ${String(unsignedTotal)} from the Pay Bill menu in all\n`
  return { rows, counts: isCut ? [count] : [] }
}

function cellsOf(report: PaymentReport, nowMs: number): string[] {
  const { amount, reportedAt } = report
  const requested = [report.closingId, report.postingId].filter((id) => id !== undefined)
  const ids = [report.checkoutId, report.intentId, requested.join(' ')]
  return [
    report.subject,
    // `Pay Bill` includes a large payment that M-Pesa's validation vouches for: it waits for the statement as well.
    report.signed ? 'signed' : 'Pay Bill',
    `${amount?.currency ?? ''} ${majorText(amount?.minor ?? 0n)}`,
    ageText(nowMs - (reportedAt?.getTime() ?? nowMs)),
    ...ids.map((id) => id ?? ''),
  ]
}

/** Asks to close a report of a payment that the provider has no record of. */
export async function askReportClosing(
  connections: Connections,
  { country, subject, note }: Order,
): Promise<Done> {
  const { writes } = ledgerOf(connections, subject, country)
  const { outcome, closingId } = await writes.askReportClosing({ subject, note })
  return doneIf(outcome, /_OUTCOME_ASKED$/, closingId)
}

/** What an operator read in the provider's portal. */
interface SeenPayment {
  readonly receipt: string
  /** In major units. */
  readonly amount: string
}

/** Asks to post the money of an attempt that was reported as paid, by its intent. */
export async function askReportPosting(
  connections: Connections,
  { country, subject: intentId, note }: Order,
  seen: SeenPayment,
): Promise<Done> {
  const { writes } = ledgerOf(connections, intentId, country)
  const { outcome, postingId } = await writes.askReportPosting({ intentId, ...seen, note })
  return doneIf(outcome, /_OUTCOME_ASKED$/, postingId)
}

/** Approves the closing of a report or a posting that another operator asked for, or withdraws it. */
export async function decideReport(
  connections: Connections,
  order: Order,
  agreed: boolean,
): Promise<Done> {
  const decide = order.subject.startsWith('rp_') ? decideReportPosting : decideReportClosing
  return decide(connections, order, agreed)
}

async function decideReportClosing(
  connections: Connections,
  { country, subject: closingId, note }: Order,
  agreed: boolean,
): Promise<Done> {
  const { writes } = ledgerOf(connections, closingId, country)
  const { outcome } = await writes.decideReportClosing({ closingId, agreed, note })
  return doneIf(outcome, /_OUTCOME_(?:CLOSED|WITHDRAWN)$/)
}

async function decideReportPosting(
  connections: Connections,
  { country, subject: postingId, note }: Order,
  agreed: boolean,
): Promise<Done> {
  const { writes } = ledgerOf(connections, postingId, country)
  const { outcome } = await writes.decideReportPosting({ postingId, agreed, note })
  return doneIf(outcome, /_OUTCOME_(?:POSTED|WITHDRAWN)$/)
}
