import { setTimeout as wait } from 'node:timers/promises'
import { oncePresent } from '@malipo/runtime/database'
import { NotReady } from '@malipo/runtime/health'
import type { Log } from '@malipo/runtime/log'
import { repeat } from '@malipo/runtime/repeat'
import type { Database } from '../store/database'
import { misfitOf, readSchemaVersion } from '../store/schema-version'

const everyMs = 500

export interface SchemaGuard {
  /** The check of readiness: rejects with the reason while this code may not run on the database. */
  check(): Promise<void>
  /** Resolves once this code may run on the database. */
  untilFitting(): Promise<void>
  /** Ends the process when a contract migration raises the floor above this code. */
  start(): { stop: () => Promise<void> }
}

/** Keeps the code off a database that is behind it, or whose floor is above it. */
export function guardSchema(db: Database, log: Log): SchemaGuard {
  let reason: string | undefined
  const compare = async () => {
    const version = await readSchemaVersion(db)
    reason = misfitOf(version)
    return version
  }
  return {
    async check() {
      await Promise.resolve()
      if (reason !== undefined) throw new NotReady(reason)
    },
    async untilFitting() {
      const version = await oncePresent(compare)
      if (reason !== undefined) log.warn({ ...version }, `waiting: ${reason}`)
      while (reason !== undefined) {
        await wait(everyMs)
        await oncePresent(compare)
      }
    },
    start: () =>
      repeat(
        { what: 'compare the version of the database', everyMs: 2 * everyMs, log },
        async () => {
          const version = await compare()
          if (reason === undefined) return
          // Begun anew, it waits and says why it is not ready.
          log.fatal({ ...version }, reason)
          process.kill(process.pid, 'SIGTERM')
        },
      ),
  }
}
