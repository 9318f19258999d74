import type {
  AskReportClosingResponse,
  DecideReportClosingResponse,
  ListReportsResponse,
  PaymentReport,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { majorText } from '@malipo/kernel/money'
import { type Done, doneIf } from './done'
import { type Connections, type LedgerConnection, ledgerOf } from './ledgers'
import type { Order } from './suspense'
import { ageText, textTable } from './text-table'

const deadlineMs = 10_000
/** The maximum of listed reports for each kind and country. */
const listedMax = 50

/** What was reported as paid and is in no journal, with its age at `nowMs`. */
export async function listReports(connections: Connections, nowMs: number): Promise<string> {
  const lists = await Promise.all(
    connections.ledgers.map((connection) => listOf(connection, nowMs)),
  )
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
  return [textTable([head, ...lists.flatMap(({ rows }) => rows)]), ...more].join('')
}

async function listOf({ country, client, call }: LedgerConnection, nowMs: number) {
  const list = await call<ListReportsResponse>(deadlineMs, (metadata, options, done) =>
    client.listReports({ limit: listedMax }, metadata, options, done),
  )
  const rows = list.reports.map((report) => [country, ...cellsOf(report, nowMs)])
  const { signedTotal, unsignedTotal } = list
  const isCut = Math.max(signedTotal, unsignedTotal) > listedMax
  const count = `${country}: ${String(signedTotal)} signed and ${String(unsignedTotal)} from the Pay Bill menu in all\n`
  return { rows, counts: isCut ? [count] : [] }
}

function cellsOf(report: PaymentReport, nowMs: number): string[] {
  const { amount, reportedAt } = report
  const ids = [report.checkoutId, report.intentId, report.closingId]
  return [
    report.subject,
    // Also a large one that M-Pesa's validation vouches for: it waits for the statement like any other.
    report.signed ? 'signed' : 'Pay Bill',
    `${amount?.currency ?? ''} ${majorText(amount?.minor ?? 0n)}`,
    ageText(nowMs - (reportedAt?.getTime() ?? nowMs)),
    ...ids.map((id) => id ?? ''),
  ]
}

/** Asks to close a report that the provider knows nothing of. */
export async function askReportClosing(
  connections: Connections,
  { country, subject, note }: Order,
): Promise<Done> {
  const { client, call } = ledgerOf(connections, subject, country)
  const { outcome, closingId } = await call<AskReportClosingResponse>(
    deadlineMs,
    (metadata, options, done) =>
      client.askReportClosing({ subject, note }, metadata, options, done),
  )
  return doneIf(outcome, /_OUTCOME_ASKED$/, closingId)
}

export async function decideReportClosing(
  connections: Connections,
  { country, subject: closingId, note }: Order,
  agreed: boolean,
): Promise<Done> {
  const { client, call } = ledgerOf(connections, closingId, country)
  const { outcome } = await call<DecideReportClosingResponse>(
    deadlineMs,
    (metadata, options, done) =>
      client.decideReportClosing({ closingId, agreed, note }, metadata, options, done),
  )
  return doneIf(outcome, /_OUTCOME_(?:CLOSED|WITHDRAWN)$/)
}
