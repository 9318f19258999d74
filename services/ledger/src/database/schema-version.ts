import { setTimeout as wait } from 'node:timers/promises'
import { oncePresent } from '@malipo/runtime/database'
import { NotReady } from '@malipo/runtime/health'
import type { Log } from '@malipo/runtime/log'
import { repeat } from '@malipo/runtime/repeat'
import type { Pool } from 'pg'
import type { Statement } from './transaction'

/** The schema of this code, and the lowest version of a database that the code runs on: docs/releases.md. */
export const schema = { version: 19, needs: 19 } as const

/** The version of a database. `floor`: the lowest version whose code may run on it. */
export interface SchemaVersion {
  readonly version: number
  readonly floor: number
}

interface Made {
  readonly isMigrated: boolean
  readonly isLedger: boolean
  readonly hasVersion: boolean
}

const objects: Statement = {
  name: 'find_schema_objects',
  text: `
    SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS "isMigrated",
      to_regclass('public.deployment') IS NOT NULL AS "isLedger",
      to_regprocedure('public.schema_version()') IS NOT NULL AS "hasVersion"`,
}

const read: Statement = {
  name: 'read_schema_version',
  text: `SELECT version, floor FROM schema_version()`,
}

/** The version of a ledger's database; 0 before the migrate step has given it one. Throws on a database of something else. */
async function readSchemaVersion(pool: Pool): Promise<SchemaVersion> {
  const { rows: found } = await pool.query<Made>(objects)
  const [made] = found
  if (made?.isMigrated === true && !made.isLedger) {
    throw new Error('This database is of another service: it has no table deployment')
  }
  if (made?.hasVersion !== true) return { version: 0, floor: 0 }
  const { rows } = await pool.query<SchemaVersion>(read)
  return rows[0] ?? { version: 0, floor: 0 }
}

/** Why this code does not run on a database of this version, and what to do about it. */
function misfitOf({ version, floor }: SchemaVersion): string | undefined {
  if (version < schema.needs) {
    return `the database has version ${String(version)}, and this release needs ${String(schema.needs)}: run the migrate step of this release`
  }
  if (floor > schema.version) {
    return `the database takes releases of version ${String(floor)} and later, and this one has ${String(schema.version)}: deploy a later release`
  }
  return undefined
}

const everyMs = 500

export interface SchemaGuard {
  /** The check of readiness: rejects with the reason while this code may not run on the database. */
  check(): Promise<void>
  /** Resolves once this code may run on the database. */
  untilFitting(): Promise<void>
  /** Ends the process when a contract migration raises the floor above this code. */
  start(): { stop: () => Promise<void> }
}

/** Keeps this code from running on a database that is older than it needs, or whose floor is above its version. */
export function guardSchema(pool: Pool, log: Log): SchemaGuard {
  let reason: string | undefined
  const compare = async () => {
    const version = await readSchemaVersion(pool)
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
          // Once started again, the ledger waits and says why it is not ready.
          log.fatal({ ...version }, reason)
          process.kill(process.pid, 'SIGTERM')
        },
      ),
  }
}
