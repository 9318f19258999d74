import { randomBytes } from 'node:crypto'
import type { Ledger } from '@malipo/ledger-client/ledger'
import type { PayBill } from '@malipo/rails/rail'
import type { Clock } from '@malipo/runtime/clock'
import type { Log } from '@malipo/runtime/log'
import { statementNotGranted } from '@malipo/runtime/metrics'
import { openRedis } from '@malipo/runtime/redis'

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
/** How long until the next try while Pull Transactions is not granted: Safaricom grants it by hand, which takes days. */
const ungrantedMs = 3_600_000
/** How far back Pull Transactions reaches. */
const reachMs = 48 * 3_600_000
/** A payment may appear in the statement later than its own timestamp. */
const overlapMs = 15 * 60_000
/**
 * Some appear hours later. So each reading is followed by one slice of what was read before: in turns of the last hours, and of
 * all that M-Pesa reaches back to. Of a slice with many payments one call's pages are read at a time, so that new ones do not wait.
 */
const sliceMs = 30 * 60_000
const rereadHours = [6, 48]

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
  const nextSlice = openSlices()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const read = async (): Promise<void> => {
    // A long statement takes longer than the lease lasts. Two readers are harmless, so the result is ignored.
    const renewing = setInterval(() => void lease.hold(), renewLeaseMs)
    const result = await readStatement(options, nextSlice).catch((error: unknown): Read => {
      // Nothing is lost, because the next round starts from the same position.
      log.warn({ error }, 'the statement was not read')
      return 'failed'
    })
    clearInterval(renewing)
    failures = result === 'failed' ? failures + 1 : 0
    // A reading that failed says nothing of the grant.
    if (result !== 'failed') showGrant(result === 'read')
    const pauses = {
      read: everyMs,
      failed: Math.min(soonMs * 2 ** (failures - 1), Math.max(everyMs, soonMs)),
      not_granted: ungrantedMs,
    }
    dueMs = clock.now() + pauses[result]
  }

  const round = async (): Promise<void> => {
    const isReader = await lease.hold()
    // Another worker has asked since.
    if (!isReader) showGrant(true)
    if (isReader && clock.now() >= dueMs) await read()
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

/** A state and not a count of refusals, because they are an hour apart and the first one comes before anything is scraped. */
function showGrant(isGranted: boolean): void {
  statementNotGranted.set({ provider: 'mpesa' }, isGranted ? 0 : 1)
}

/** Reads on from where the statement was read to, and then a slice from before. */
async function readStatement(options: WatchPayBillOptions, nextSlice: Slices): Promise<Read> {
  const { ledger, clock } = options
  const untilMs = clock.now()
  // Never further back than M-Pesa reaches: otherwise an unlisted payment would count as unpaid.
  const reached = new Date(untilMs - reachMs)
  const known = await ledger.readStatementUntil(reached)
  const fromMs = Math.max(known.getTime() - overlapMs, reached.getTime())
  const window = { from: new Date(Math.min(fromMs, untilMs)), until: new Date(untilMs) }
  const result = await readWindow(options, window)
  if (result !== 'read') return result
  // Only now the position moves.
  await ledger.recordStatementRead(window)
  await readAgain(options, nextSlice(untilMs))
  return 'read'
}

/** A slice that fails is read in its next turn. New payments were read before it. */
async function readAgain(options: WatchPayBillOptions, slice: Slice): Promise<void> {
  const page = await readPage(options, slice.window, slice.rowOffset).catch((error: unknown) => {
    options.log.warn({ error }, 'a slice of the statement was not read again')
    return undefined
  })
  if (page?.result === 'read') slice.done(page.nextRowOffset)
}

interface Window {
  readonly from: Date
  readonly until: Date
}

async function readWindow(options: WatchPayBillOptions, window: Window): Promise<Read> {
  let isAllRead = true
  let rowOffset: number | undefined = 0
  while (rowOffset !== undefined) {
    const page = await readPage(options, window, rowOffset)
    if (page.nextRowOffset === undefined && page.result !== 'read') return page.result
    isAllRead &&= page.result === 'read'
    rowOffset = page.nextRowOffset
  }
  return isAllRead ? 'read' : 'failed'
}

interface Page {
  readonly result: Read
  /** Where the statement goes on; undefined at its end, and where it was not listed. */
  readonly nextRowOffset?: number | undefined
}

async function readPage(
  { payBill, readRows, log }: WatchPayBillOptions,
  window: Window,
  rowOffset: number,
): Promise<Page> {
  const listed = await payBill.listPayments({ ...window, rowOffset })
  if (listed.kind === 'not_granted') {
    log.error({ detail: listed.detail }, 'reading the statement is not granted; ask Safaricom')
    return { result: 'not_granted' }
  }
  if (listed.kind === 'unanswered') {
    log.warn({ detail: listed.detail }, 'the statement was not read')
    return { result: 'failed' }
  }
  const isRead = await readRows(listed.bodies)
  return { result: isRead ? 'read' : 'failed', nextRowOffset: listed.nextRowOffset }
}

interface Slice {
  readonly window: Window
  readonly rowOffset: number
  readonly done: (nextRowOffset: number | undefined) => void
}

type Slices = (nowMs: number) => Slice

/** Slices of the statement, each older than the one before, and from now again when the oldest was read. */
function openSlices(): Slices {
  const rereads = rereadHours.map((hours) => {
    return { backMs: hours * 3_600_000, untilMs: 0, rowOffset: 0 }
  })
  let turn = 0
  return (nowMs) => {
    const reread = rereads[turn++ % rereads.length]
    if (reread === undefined) throw new Error('there is nothing to read again')
    const oldestMs = nowMs - reread.backMs
    if (reread.untilMs <= oldestMs) Object.assign(reread, { untilMs: nowMs, rowOffset: 0 })
    const { untilMs, rowOffset } = reread
    const fromMs = Math.max(untilMs - sliceMs, oldestMs)
    return {
      window: { from: new Date(fromMs), until: new Date(untilMs) },
      rowOffset,
      done(nextRowOffset) {
        if (nextRowOffset === undefined) reread.untilMs = fromMs
        reread.rowOffset = nextRowOffset ?? 0
      },
    }
  }
}

/**
 * How long a killed process keeps a lease: longer than an event loop or Redis normally stalls. After a longer stall
 * two workers do the work for a while, which is safe.
 */
const leaseMs = 10_000
/** How often the holder renews the lease, and others try to take it: a takeover takes at most twelve seconds. */
const renewLeaseMs = 2_000

/** Keeps work to one process at a time, where several would be safe but wasteful. */
interface Lease {
  /** Takes or renews the lease. Also true while Redis is down: work done twice is better than work not done. */
  hold(): Promise<boolean>
  /** Releases the lease, if held, so that another process takes it at once. */
  release(): Promise<void>
}

/** A lease that expires later than ours could was not set by a worker, and must not block the work. */
const renew = `
  local holder = redis.call('GET', KEYS[1])
  local left = redis.call('PTTL', KEYS[1])
  if holder and holder ~= ARGV[1] and left >= 0 and left <= tonumber(ARGV[2]) then return 0 end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return 1`
const giveBack = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`

export function openLease(options: {
  readonly redisUrl: string
  readonly key: string
  readonly log: Log
}): Lease {
  const redis = openRedis(options.redisUrl, options.log)
  const holder = randomBytes(8).toString('hex')
  return {
    async hold() {
      const answer = await redis.eval(renew, 1, options.key, holder, leaseMs).catch(() => undefined)
      return answer !== 0
    },
    async release() {
      await redis.eval(giveBack, 1, options.key, holder).catch(() => undefined)
      redis.disconnect()
    },
  }
}
