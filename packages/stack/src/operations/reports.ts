import type { PaymentReport } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { majorText } from '@malipo/kernel/money'
import { inEveryLedger, type Listing, listingOf } from './every-ledger'
import type { CellConnection, Connections } from './ledgers'
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
