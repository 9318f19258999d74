import type { ReconcileDayResponse } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { majorText } from '@malipo/kernel/money'
import type { Doors, LedgerDoor } from './ledgers'
import { textTable } from './text-table'

const deadlineMs = 60_000
const head = [
  'country',
  'provider',
  'its receipts',
  'amount',
  'our receipts',
  'amount',
  'refunded',
  'float',
  'difference',
  'differing',
]

/** Makes and keeps the reports of a day; answers the table and whether every difference is 0. */
export async function reconcileAll(
  doors: Doors,
  day: string,
): Promise<{ table: string; holds: boolean }> {
  const reports = (await Promise.all(doors.ledgers.map((door) => reconcile(door, day)))).flat()
  return {
    table: textTable([head, ...reports.map(({ cells }) => cells)]),
    holds: reports.every(({ isEven }) => isEven),
  }
}

async function reconcile({ country, client, call }: LedgerDoor, day: string) {
  const { reports } = await call<ReconcileDayResponse>(deadlineMs, (metadata, options, done) =>
    client.reconcileDay({ day }, metadata, options, done),
  )
  return reports.map((report) => ({
    isEven: report.differenceMinor === 0n,
    cells: [
      country,
      report.provider,
      String(report.providerReceipts),
      majorText(report.providerMinor),
      String(report.journalReceipts),
      majorText(report.journalMinor),
      majorText(report.refundedMinor),
      signed(report.floatMinor),
      majorText(report.differenceMinor),
      report.differing.join(' '),
    ],
  }))
}

function signed(minor: bigint): string {
  return minor < 0n ? `-${majorText(-minor)}` : majorText(minor)
}
