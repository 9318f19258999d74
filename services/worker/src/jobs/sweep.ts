import type { Log } from '@malipo/runtime/log'
import { continueTrace, withTrace } from '@malipo/runtime/telemetry'
import type { Ledger } from '../clients/ledger'
import type { Due } from '../clients/ledger-wire'
import type { Jobs } from './open-jobs'

export interface SweepOptions {
  readonly ledger: Pick<Ledger, 'claimDue'>
  readonly jobs: Pick<Jobs, 'run'>
  readonly log: Log
  readonly everyMs: number
  /** Pieces of work in hand at once. A slow provider fills them with waiting, so there are many. */
  readonly concurrency: number
}

export interface Sweep {
  /** Claims before the next tick: something has just become due. Calls at about one moment make one claim. */
  readonly claimSoon: () => void
  readonly stop: () => void
}

/** So many calls make one claim: a busy second costs twenty claims and not hundreds. */
const soonMs = 50

/**
 * The promise behind every job: whatever is due is claimed from the ledger and done here, Redis or no Redis. It asks
 * for no more than it can begin at once, never twice at a time, and it does not wait for one piece of work to finish
 * before it claims the next.
 */
export function startSweep(options: SweepOptions): Sweep {
  let busy = 0
  let isClaiming = false
  let isMoreWaiting = false
  let isLedgerAway = false
  let isStopped = false

  const claim = async (): Promise<void> => {
    const room = options.concurrency - busy
    // The ledger may hand out more than was asked for: refunds and names come on top.
    if (isClaiming || room <= 0) return
    isClaiming = true
    const due = await options.ledger.claimDue(room).then(
      (claimed) => {
        if (isLedgerAway) options.log.info('the ledger is back')
        isLedgerAway = false
        return claimed
      },
      (error: unknown) => {
        // Said once, not every second: the ledger's own alarms are louder.
        if (!isLedgerAway) options.log.warn({ error }, 'the sweep cannot reach the ledger')
        isLedgerAway = true
        return []
      },
    )
    isClaiming = false
    // What was claimed while we stopped is for another process, which gets it when the lease runs out: a prompt that is
    // begun now would never be sent.
    if (isStopped) return
    isMoreWaiting = due.length >= room
    for (const work of due) void begin(work)
  }

  const begin = async (work: Due): Promise<void> => {
    busy += 1
    await withTrace(continueTrace({}), () => options.jobs.run(work)).catch((error: unknown) => {
      // An entry point: the row is as it was, and its lease will run out.
      options.log.error({ error, job: work.job, id: work.id }, 'job failed')
    })
    busy -= 1
    // A backlog is worked off in claims of half the room, and not at the pace of the ticks.
    if (isMoreWaiting && !isStopped && busy * 2 <= options.concurrency) void claim()
  }

  let soon: NodeJS.Timeout | undefined
  const claimSoon = () => {
    soon ??= setTimeout(() => {
      soon = undefined
      // The claim under way may have passed by what became due.
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
