import type { Log } from '@malipo/runtime/log'
import { happenings, levels } from '@malipo/runtime/metrics'
import { repeat } from '@malipo/runtime/repeat'
import type { Database } from '../store/database'
import { readDifference, reconcileYesterday } from '../store/recon-reports'
import { freezeUnconfirmed } from '../store/statements'

export interface ReconcileDeps {
  readonly db: Database
  readonly log: Log
  readonly everySeconds: number
}

/** A payment that is not in the provider's statement so long after it was told of is not believed any more. */
const unconfirmedAfterSeconds = 1_800

/**
 * Compares the journal with what providers say came in, while payments go on; freezes money that a confirmation told of
 * and no statement shows; and makes the report of each day when it is over.
 */
export function startReconciling({ db, log, everySeconds }: ReconcileDeps): {
  stop: () => Promise<void>
} {
  return repeat({ what: 'reconcile', everyMs: everySeconds * 1_000, log }, async () => {
    for (const subject of await freezeUnconfirmed(db, unconfirmedAfterSeconds)) {
      happenings.inc({ name: 'c2b_unconfirmed' })
      log.error({ subject }, 'a Pay Bill confirmation is not in the statement: its money is frozen')
    }
    const difference = await readDifference(db)
    for (const [name, value] of Object.entries(difference)) levels.set({ name }, value)
    for (const { provider, differenceMinor } of await reconcileYesterday(db)) {
      const say = differenceMinor === 0n ? log.info.bind(log) : log.error.bind(log)
      say({ provider, differenceMinor: String(differenceMinor) }, 'yesterday is reconciled')
    }
  })
}
