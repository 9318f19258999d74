import type { ReconReport } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { majorText } from '@malipo/kernel/money'
import { inEveryLedger, listingOf } from './every-ledger'
import type { CellConnection, Connections } from './ledgers'

/** Longer than a ledger may take for the reports of a day. */
const deadlineMs = 130_000
const eastAfricaMs = 3 * 3_600_000
const head = [
  'country',
  'provider',
  'its receipts',
  'amount',
  'our receipts',
  'amount',
  'refunded',
  'float',
  'read until',
  'difference',
  'unknown',
  'differing',
]

/** Makes and keeps the reports of a day; returns the table, and whether all was read and every difference is 0. */
export async function reconcileAll(
  connections: Connections,
  day: string,
): Promise<{ table: string; holds: boolean }> {
  const { answers, failures } = await inEveryLedger(connections, (one) => reconcile(one, day))
  const reports = answers.flatMap(([, found]) => found)
  const { text, isGood } = listingOf([head, ...reports.map(({ cells }) => cells)], [], failures)
  return { table: text, holds: isGood && reports.every(({ isEven }) => isEven) }
}

async function reconcile({ place, within }: CellConnection, day: string) {
  const { reports } = await within(deadlineMs).reconcileDay({ day })
  return reports.map((report) => ({
    isEven: report.differenceMinor === 0n && report.isRead,
    cells: [
      place,
      report.provider,
      String(report.providerReceipts),
      majorText(report.providerMinor),
      String(report.journalReceipts),
      majorText(report.journalMinor),
      majorText(report.refundedMinor),
      signed(report.floatMinor),
      readUntil(report, day),
      difference(report),
      majorText(report.unknownMinor),
      report.differing.join(' '),
    ],
  }))
}

/** The time up to which the statement was read, in East African Time, as are the days of reports. */
function readUntil({ readUntil: at }: ReconReport, day: string): string {
  if (at === undefined) return 'unknown'
  const local = new Date(at.getTime() + eastAfricaMs).toISOString()
  return local.startsWith(day) ? local.slice(11, 16) : 'the end'
}

/** While a day is not read to its end, a difference of 0 is not known yet. */
function difference({ isRead, differenceMinor }: ReconReport): string {
  return isRead || differenceMinor !== 0n ? majorText(differenceMinor) : 'unknown'
}

function signed(minor: bigint): string {
  return minor < 0n ? `-${majorText(-minor)}` : majorText(minor)
}
