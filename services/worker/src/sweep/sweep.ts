import type { Due } from '@malipo/ledger-client/claims'
import type { Log } from '@malipo/runtime/log'
import { failureLevel } from '@malipo/runtime/present-fault'
import { continueTrace, withTrace } from '@malipo/runtime/telemetry'
import type { Jobs } from './open-jobs'

export interface SweepOptions {
  readonly ledger: { claimDue(limit: number): Promise<Due[]> }
  readonly jobs: Pick<Jobs, 'run'>
  readonly log: Log
  readonly everyMs: number
  /** The most jobs at one time. A slow provider fills the places with waiting, so there are many. */
  readonly concurrency: number
}

export interface Sweep {
  /**
   * Claims before the next tick, because something has just become due. Calls at about the same moment make one
   * claim.
   */
  readonly claimSoon: () => void
  readonly stop: () => void
}

/** Calls within this time make one claim: a busy second makes twenty claims and not hundreds. */
const soonMs = 50

/**
 * The guarantee behind every job: all due work is claimed from the ledger and done here, with or without Redis. It
 * claims no more than it can start at once, one claim at a time, and does not wait for a job to finish before the
 * next claim.
 */
export function startSweep(options: SweepOptions): Sweep {
  const running = new Set<string>()
  let isClaiming = false
  let isMoreWaiting = false
  let isLedgerAway = false
  let isStopped = false

  const claim = async (): Promise<void> => {
    const room = options.concurrency - running.size
    // The ledger may hand out more than requested, because refunds and name lookups come on top.
    if (isClaiming || room <= 0) return
    isClaiming = true
    const due = await options.ledger.claimDue(room).then(
      (claimed) => {
        if (isLedgerAway) options.log.info('the ledger is back')
        isLedgerAway = false
        return claimed
      },
      (error: unknown) => {
        // Logged once, not every second: the ledger has its own alerts.
        if (!isLedgerAway) options.log.warn({ error }, 'the sweep cannot reach the ledger')
        isLedgerAway = true
        return []
      },
    )
    isClaiming = false
    // Jobs claimed during shutdown go to another process when their lease expires: a prompt begun now would never be
    // sent.
    if (isStopped) return
    isMoreWaiting = due.length >= room
    for (const work of due) void begin(work)
  }

  const begin = async (work: Due): Promise<void> => {
    const key = `${work.job} ${work.id}`
    // A job that outlasts its lease is handed out again, and has its place already.
    if (running.has(key)) return
    running.add(key)
    const outcome = await run(options, work)
    running.delete(key)
    // A postponed query frees its place at once, so claiming for that place would repeat as fast as the ledger answers.
    if (outcome === 'postponed') isMoreWaiting = false
    // A backlog is claimed again when half the places are free, without waiting for ticks.
    if (isMoreWaiting && !isStopped && running.size * 2 <= options.concurrency) void claim()
  }

  let soon: NodeJS.Timeout | undefined
  const claimSoon = () => {
    soon ??= setTimeout(() => {
      soon = undefined
      // The running claim may have missed what just became due.
      if (isClaiming) claimSoon()
      else void claim()
    }, soonMs)
  }

  const timer = setInterval(() => void claim(), options.everyMs)
  return {
    claimSoon() {
      if (!isStopped) claimSoon()
    },
    stop() {
      isStopped = true
      clearInterval(timer)
      clearTimeout(soon)
    },
  }
}

/** Returns the outcome of a job. Its error ends here: the row is unchanged, and is handed out again after its lease. */
function run({ jobs, log }: SweepOptions, work: Due): Promise<string | undefined> {
  return withTrace(continueTrace({}), () => jobs.run(work)).catch((error: unknown) => {
    log[failureLevel(error)]({ error, job: work.job, id: work.id }, 'job failed')
    return undefined
  })
}
