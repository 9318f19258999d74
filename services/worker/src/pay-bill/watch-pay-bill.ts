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
 * Some appear hours later. The statement is read again often for the last hours, and seldom as far back as M-Pesa reaches:
 * the ledger skips rows that it knows, but M-Pesa sends all of them.
 */
const rereads = [
  { everyMs: 3_600_000, backMs: 6 * 3_600_000 },
  { everyMs: 12 * 3_600_000, backMs: reachMs },
]

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
  const rereadDueMs = rereads.map(() => 0)
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const read = async (): Promise<void> => {
    // A long statement takes longer than the lease lasts. Two readers are harmless, so the result is ignored.
    const renewing = setInterval(() => void lease.hold(), renewLeaseMs)
    const beganMs = clock.now()
    const areDue = rereadDueMs.map((ms) => ms <= beganMs)
    const backMs = Math.max(0, ...rereads.map((reread, at) => (areDue[at] ? reread.backMs : 0)))
    const result = await readStatement(options, backMs).catch((error: unknown): Read => {
      // Nothing is lost, because the next round starts from the same position.
      log.warn({ error }, 'the statement was not read')
      return 'failed'
    })
    clearInterval(renewing)
    if (result === 'read') {
      rereads.forEach(({ everyMs: pauseMs }, at) => {
        if (areDue[at]) rereadDueMs[at] = beganMs + pauseMs
      })
    }
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

/** Reads on from where the statement was read to, or from `backMs` ago where that is earlier. */
async function readStatement(options: WatchPayBillOptions, backMs: number): Promise<Read> {
  const { payBill, ledger, readRows, clock, log } = options
  const untilMs = clock.now()
  // Never further back than M-Pesa reaches: otherwise an unlisted payment would count as unpaid.
  const reached = new Date(untilMs - reachMs)
  const known = await ledger.readStatementUntil(reached)
  const fromMs = Math.max(known.getTime() - overlapMs, reached.getTime())
  const window = { from: new Date(Math.min(fromMs, untilMs - backMs)), until: new Date(untilMs) }
  let isAllRead = true
  let rowOffset: number | undefined = 0
  while (rowOffset !== undefined) {
    const listed = await payBill.listPayments({ ...window, rowOffset })
    if (listed.kind === 'not_granted') {
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
