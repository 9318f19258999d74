import {
  type QueueKind,
  type QueueTotal,
  QueueItem as WireItem,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { withoutNulls } from '@malipo/contracts/present'
import { wireOf } from '@malipo/contracts/wire-words'
import { messageBytesMax } from '@malipo/runtime/call-batch'
import type { Ledger, Operation } from '../operation'
import { listReports, type PaymentReport } from '../reports/store/list-reports'
import { readPageLimit } from '../checkouts/list-checkouts'
import { listQueue as list, type QueueItem } from './store/queue'

/** The rest of a message has room for the totals of all kinds and for the fields around them. */
const itemsBytesMax = messageBytesMax - 4_096
/** The bytes that a message takes for an item beside the item itself: its tag and its length. */
const itemHeadBytes = 4

/** Lists what waits for an operator. */
export function listQueue(deps: Ledger): Operation<'listQueue'> {
  const { db } = deps
  const { currency } = deps.country
  return async (request) => {
    const limit = readPageLimit(request.limit)
    const [items, reports] = [await list(db, limit), await listReports(db, limit)]
    const open = reports.filter(isOpen)
    return {
      items: fitting([
        ...items.map((item) => presentItem(item, currency)),
        ...open.slice(0, limit).map((report) => presentReport(report, currency)),
      ]),
      totals: [...totalsOf(items), ...reportTotals(reports)],
    }
  }
}

/** A report whose closing or posting is asked for is in the queue as that closing or posting. */
function isOpen({ closingId, postingId }: PaymentReport): boolean {
  return closingId === null && postingId === null
}

/** As many items as fit in one message: the first ones of every kind, in their order. */
function fitting(items: readonly WireItem[]): WireItem[] {
  const counts = new Map<QueueKind, number>()
  const ranked = items.map((item) => {
    const rank = (counts.get(item.kind) ?? 0) + 1
    counts.set(item.kind, rank)
    return { item, rank }
  })
  let bytes = 0
  const kept = ranked
    .toSorted((one, other) => one.rank - other.rank)
    .filter(({ item }) => {
      bytes += WireItem.encode(item).finish().length + itemHeadBytes
      return bytes <= itemsBytesMax
    })
  const keptItems = new Set(kept.map(({ item }) => item))
  return items.filter((item) => keptItems.has(item))
}

function presentItem(item: QueueItem, currency: string): WireItem {
  const { kind, minor } = item
  return {
    ...withoutNulls(item),
    kind: wireOf('QUEUE_KIND', kind),
    amount: minor === null ? undefined : { minor, currency },
  }
}

function presentReport(report: PaymentReport, currency: string): WireItem {
  return {
    ...{ ...withoutNulls(report), kind: 'QUEUE_KIND_PAYMENT_REPORT', id: report.subject },
    amount: { minor: report.minor, currency },
    since: report.reportedAt,
    detail: report.isSigned ? 'reported with proof' : 'reported over the secret path only',
  }
}

function totalsOf(items: readonly QueueItem[]): QueueTotal[] {
  const byKind = new Map(items.map((item) => [item.kind, item]))
  return [...byKind.values()].map(({ kind, total, totalMinor }) => ({
    kind: wireOf('QUEUE_KIND', kind),
    count: total,
    minor: totalMinor,
  }))
}

/** Counts all open reports, and sums up the listed ones: the amounts of the others are not read. */
function reportTotals(reports: readonly PaymentReport[]): QueueTotal[] {
  const open = reports.filter(isOpen)
  const listed = open.reduce((sum, { minor }) => sum + minor, 0n)
  const count =
    (reports.find(({ isSigned }) => isSigned)?.total ?? 0) +
    (reports.find(({ isSigned }) => !isSigned)?.total ?? 0) -
    (reports.length - open.length)
  return count === 0 ? [] : [{ kind: 'QUEUE_KIND_PAYMENT_REPORT', count, minor: listed }]
}
