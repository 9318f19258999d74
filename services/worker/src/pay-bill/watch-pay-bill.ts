import type { Ledger } from '@malipo/ledger-client/ledger'
import type { PayBill } from '@malipo/rails/rail'
import type { Clock } from '@malipo/runtime/clock'
import type { Log } from '@malipo/runtime/log'
import { notableEvents } from '@malipo/runtime/metrics'
import { type Lease, renewLeaseMs } from './lease'

export interface WatchPayBillOptions {
  readonly payBill: Pick<PayBill, 'listPayments'>
  readonly ledger: Pick<Ledger, 'readStatementUntil' | 'recordStatementRead'>
  /** Stores and applies rows; false when one of them failed. */
  readonly readRows: (bodies: readonly Uint8Array[]) => Promise<boolean>
  /** The lease that lets one worker read the statement for all. */
  readonly lease: Lease
  readonly clock: Clock
  readonly log: Log
  readonly everyMs: number
}

/** The first retry after an error; further retries back off. */
const soonMs = 5_000
/** Retry when Pull Transactions is not granted yet: Safaricom grants it by hand, which takes days. */
const ungrantedMs = 3_600_000
/** How far back Pull Transactions reaches. */
const reachMs = 48 * 3_600_000
/** A payment may appear in the statement later than its own timestamp. */
const overlapMs = 15 * 60_000

type Read = 'read' | 'failed' | 'not_granted'

/**
 * Reads M-Pesa's statement for Pay Bill payments that were not reported: a confirmation is sent once, and may be
 * lost. The holder of the lease reads; the other workers take over when it stops renewing. The ledger stores the
 * position, so a new reader, or a restored ledger, leaves no gap.
 */
export function startWatchingPayBill(options: WatchPayBillOptions): { stop: () => Promise<void> } {
  const { clock, log, lease, everyMs } = options
  let dueMs = 0
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const read = async (): Promise<void> => {
    // A long statement takes longer than the lease lasts. Two readers are harmless, so the result is ignored.
    const renewing = setInterval(() => void lease.hold(), renewLeaseMs)
    const result = await readStatement(options).catch((error: unknown): Read => {
      // Nothing is lost, because the next round starts from the same position.
      log.warn({ error }, 'the statement was not read')
      return 'failed'
    })
    clearInterval(renewing)
    failures = result === 'failed' ? failures + 1 : 0
    const pauses = {
      read: everyMs,
      failed: Math.min(soonMs * 2 ** (failures - 1), Math.max(everyMs, soonMs)),
      not_granted: ungrantedMs,
    }
    dueMs = clock.now() + pauses[result]
  }

  const round = async (): Promise<void> => {
    if ((await lease.hold()) && clock.now() >= dueMs) await read()
    if (isStopped) return
    const waitMs = Math.max(dueMs - clock.now(), 0) || renewLeaseMs
    timer = setTimeout(() => void round(), Math.min(waitMs, renewLeaseMs))
  }
  void round()

  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await lease.release()
    },
  }
}

async function readStatement(options: WatchPayBillOptions): Promise<Read> {
  const { payBill, ledger, readRows, clock, log } = options
  const untilMs = clock.now()
  // Never further back than M-Pesa reaches: otherwise an unlisted payment would count as unpaid.
  const reached = new Date(untilMs - reachMs)
  const known = await ledger.readStatementUntil(reached)
  const fromMs = Math.max(known.getTime() - overlapMs, reached.getTime())
  const window = { from: new Date(Math.min(fromMs, untilMs)), until: new Date(untilMs) }
  let isAllRead = true
  let rowOffset: number | undefined = 0
  while (rowOffset !== undefined) {
    const listed = await payBill.listPayments({ ...window, rowOffset })
    if (listed.kind === 'not_granted') {
      notableEvents.inc({ name: 'statement_not_granted' })
      log.error({ detail: listed.detail }, 'reading the statement is not granted; ask Safaricom')
      return 'not_granted'
    }
    if (listed.kind === 'unanswered') {
      log.warn({ detail: listed.detail }, 'the statement was not read')
      return 'failed'
    }
    const isRead = await readRows(listed.bodies)
    isAllRead &&= isRead
    rowOffset = listed.nextRowOffset
  }
  if (!isAllRead) return 'failed'
  // Only now the position moves: a payment not listed by this time was not made.
  await ledger.recordStatementRead(window)
  return 'read'
}
