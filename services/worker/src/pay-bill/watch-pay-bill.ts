import type { Ledger } from '@malipo/ledger-client/ledger'
import type { Listed, PayBill } from '@malipo/rails/rail'
import { type Clock, steadyClock } from '@malipo/runtime/clock'
import type { Log } from '@malipo/runtime/log'
import { statementNotGranted } from '@malipo/runtime/metrics'
import {
  afterSlice,
  firstRereads,
  nextSlice,
  type Part,
  partsOf,
  type Reread,
} from './rules/statement-slices'
import { type Lease, renewLeaseMs } from './statement-lease'

export interface WatchPayBillOptions {
  readonly payBill: Pick<PayBill, 'listPayments'>
  readonly ledger: Pick<Ledger, 'readStatementUntil' | 'recordStatementRead'>
  /** Stores and applies rows; false when one of them failed. */
  readonly readRows: (bodies: readonly Uint8Array[]) => Promise<boolean>
  /** The lease that lets one worker read the statement for all. */
  readonly lease: Lease
  /** Its time is the end of what a reading asks for. */
  readonly clock: Clock
  readonly log: Log
  readonly everyMs: number
}

/** The first retry after an error; further retries back off. */
const soonMs = 5_000
/** The wait for the next try while Pull Transactions is not granted: Safaricom grants it by hand, which takes days. */
const ungrantedMs = 3_600_000
/** How far back Pull Transactions reaches. */
const reachMs = 48 * 3_600_000
/** How far a reading goes back before the recorded position, because M-Pesa lists some payments late. */
const overlapMs = 15 * 60_000

/** `unapplied`: the statement was listed, but some of its rows could not be applied, or not be asked for. */
type Read = 'read' | 'unapplied' | Failure
type Failure = Exclude<Listed['kind'], 'answered'>

/**
 * Reads M-Pesa's statement for Pay Bill payments that were not reported: a confirmation is sent once, and may be
 * lost. The holder of the lease reads; the other workers take over when it stops renewing. The ledger stores the
 * position, so a new reader, or a restored ledger, leaves no gap.
 */
export function startWatchingPayBill(options: WatchPayBillOptions): { stop: () => Promise<void> } {
  const { log, lease, everyMs } = options
  // By a clock that is never set back: a clock of the day, set back an hour, would stop the readings for an hour.
  let dueMs = 0
  let failures = 0
  let rereads = firstRereads
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const read = async (): Promise<void> => {
    // A long statement takes longer than the lease lasts. Two readers are harmless, so the result is ignored.
    const renewing = setInterval(() => void lease.hold(), renewLeaseMs)
    const result = await readStatement(options).catch((error: unknown): Read => {
      // Nothing is lost, because the next round starts from the same position.
      log.warn({ error }, 'the statement was not read')
      return 'unanswered'
    })
    const isListed = result === 'read' || result === 'unapplied'
    if (isListed) rereads = await readAgain(options, rereads)
    clearInterval(renewing)
    failures = result === 'unapplied' || result === 'unanswered' ? failures + 1 : 0
    // A reading without an answer does not tell whether reading is granted.
    if (result !== 'unanswered') showGrant(isListed)
    const againMs = Math.min(soonMs * 2 ** (failures - 1), Math.max(everyMs, soonMs))
    const pauses = {
      read: everyMs,
      unapplied: againMs,
      unanswered: againMs,
      // A doubtful answer mostly means that nothing was paid for two days, so the next reading comes at the usual time.
      doubtful: everyMs,
      not_granted: ungrantedMs,
    }
    dueMs = steadyClock.now() + pauses[result]
  }

  const round = async (): Promise<void> => {
    const isReader = await lease.hold()
    // Only the worker with the lease shows whether reading is granted: without it, a worker clears the refusal it
    // showed.
    if (!isReader) showGrant(true)
    if (isReader && steadyClock.now() >= dueMs) await read()
    if (isStopped) return
    const waitMs = Math.max(dueMs - steadyClock.now(), 0) || renewLeaseMs
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

/** The metric is a state and not a count: refusals may be an hour apart, and the first comes before any scrape. */
function showGrant(isGranted: boolean): void {
  statementNotGranted.set({ provider: 'mpesa' }, isGranted ? 0 : 1)
}

/**
 * Reads the statement from where it was read to until now; after an outage, or behind a row that cannot be read, in
 * parts. The newest part comes first: new payments must not wait for the others.
 */
async function readStatement(options: WatchPayBillOptions): Promise<Read> {
  const { ledger, clock } = options
  const untilMs = clock.now()
  // Never further back than M-Pesa reaches: otherwise an unlisted payment would count as unpaid.
  const reached = new Date(untilMs - reachMs)
  const known = await ledger.readStatementUntil(reached)
  const fromMs = Math.max(known.getTime() - overlapMs, reached.getTime())
  const from = new Date(Math.min(fromMs, untilMs))
  const parts = partsOf(from.getTime(), untilMs)
  const newest = await readWindow(options, parts.at(-1) ?? { from, until: from })
  // A missing grant concerns all parts alike. After no answer the older parts are read: the newest may be too long.
  if (isFailure(newest) && newest !== 'unanswered') return newest
  let whole: Read = 'read'
  for (const [place, part] of parts.entries()) {
    const result = place === parts.length - 1 ? newest : await readWindow(options, part)
    if (isFailure(result)) return result
    // The position stays before a row that was not applied, and the rows behind it do not wait.
    if (result === 'unapplied') whole = result
    // Parts are recorded from `from` on, as one reading: a payment is frozen only if one covers 15 minutes after it.
    if (whole === 'read') await ledger.recordStatementRead({ from, until: part.until })
  }
  return whole
}

function isFailure(result: Read): result is Failure {
  return result !== 'read' && result !== 'unapplied'
}

/**
 * Reads one slice of the past again after each reading, of each span in turn, because some payments are listed hours
 * late. A slice with many payments takes several turns of one call each, so that new payments do not wait. A slice that
 * was not listed starts again from its first row in its next turn, because its offset may be the reason.
 */
async function readAgain(
  options: WatchPayBillOptions,
  [reread, ...others]: readonly Reread[],
): Promise<readonly Reread[]> {
  if (reread === undefined) throw new Error('there is nothing to read again')
  const slice = nextSlice(reread, options.clock.now())
  const page = await readPage(options, slice, slice.rowOffset).catch((error: unknown) => {
    options.log.warn({ error }, 'a slice of the statement was not read again')
    return undefined
  })
  // Rows that could not be applied do not hold up the next slice: their slice is read again in the next round.
  if (page === undefined || isFailure(page.result)) return [...others, { ...reread, rowOffset: 0 }]
  return [...others, afterSlice(reread, slice, page.nextRowOffset)]
}

async function readWindow(options: WatchPayBillOptions, window: Part): Promise<Read> {
  let isAllRead = true
  let rowOffset: number | undefined = 0
  while (rowOffset !== undefined) {
    const page = await readPage(options, window, rowOffset)
    if (isFailure(page.result)) return page.result
    isAllRead &&= page.result === 'read'
    rowOffset = page.nextRowOffset
  }
  return isAllRead ? 'read' : 'unapplied'
}

interface Page {
  readonly result: Read
  /** The offset of the next page; undefined at the end of the statement, and where it was not listed. */
  readonly nextRowOffset?: number | undefined
}

async function readPage(
  { payBill, readRows, log }: WatchPayBillOptions,
  window: Part,
  rowOffset: number,
): Promise<Page> {
  const listed = await payBill.listPayments({ ...window, rowOffset })
  if (listed.kind === 'not_granted') {
    log.error({ detail: listed.detail }, 'reading the statement is not granted; ask Safaricom')
    return { result: 'not_granted' }
  }
  if (listed.kind !== 'answered') {
    log.warn({ detail: listed.detail }, 'the statement was not read')
    return { result: listed.kind }
  }
  const { cutOff, nextRowOffset } = listed
  if (cutOff !== undefined) log.warn({ detail: cutOff }, 'the statement was not read to its end')
  const isRead = await readRows(listed.bodies)
  return { result: isRead && cutOff === undefined ? 'read' : 'unapplied', nextRowOffset }
}
