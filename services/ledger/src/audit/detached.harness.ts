import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@malipo/runtime/clock'
import { auditDetached } from '@malipo/stack/retention/audit-detached'
import { detachMonth, detachNewest, type DetachOptions } from '@malipo/stack/retention/detach-month'
import type { TestDatabase } from '@malipo/testing/database'

/** Longer than the steps and bodies of finished payments have to stay in the database. */
export const longAgoSeconds = 200 * 86_400

/** Months of a test database, detached into its own folder. */
export function detaching(database: TestDatabase) {
  const dir = mkdtempSync(join(tmpdir(), 'malipo-detached-'))

  const options = {
    ...{ databaseUrl: database.ownerUrl, country: 'ke', dir, note: 'kept' },
    onProgress: () => undefined,
  }

  const text = async (query: string): Promise<string> => {
    const { rows } = await database.pool.query<{ text: string }>(query)
    return rows[0]?.text ?? ''
  }

  return {
    dir,

    /** The month of the newest step that is older than `days`. */
    async month(days = 150): Promise<string> {
      return text(`SELECT to_char(max(at) AT TIME ZONE 'UTC', 'YYYY-MM') AS text FROM intent_steps
        WHERE at < now() - interval '${String(days)} days'`)
    },

    file(month: string): string {
      return join(dir, `ke-${month}.jsonl.gz`)
    },

    async detach(month: string, changes: Partial<DetachOptions> = {}): Promise<string> {
      return detachMonth({ ...options, month, ...changes })
    },

    /** Detaches without naming a month, as the job of each month does. */
    async detachNewest(): Promise<string[]> {
      return detachNewest(options, new Date(systemClock.now()))
    },

    /** What the audit of the files finds broken, by the number of the invariant. */
    async broken(): Promise<Record<number, readonly string[] | undefined>> {
      const findings = await auditDetached(database.ownerUrl, dir)
      return Object.fromEntries(
        findings
          .filter(({ rows }) => rows !== 0)
          .map(({ number, rows, examples }) => [number, rows === undefined ? undefined : examples]),
      )
    },

    /** How many steps and bodies the database has of these attempts. */
    async left(intentIds: readonly string[]): Promise<{ steps: number; bodies: number }> {
      const { rows } = await database.pool.query<{ steps: number; bodies: number }>(
        `SELECT (SELECT count(*)::int FROM intent_steps WHERE intent_id = ANY ($1)) AS steps,
          (SELECT count(*)::int FROM provider_messages WHERE intent_id = ANY ($1) AND body <> '') AS bodies`,
        [intentIds],
      )
      return rows[0] ?? { steps: -1, bodies: -1 }
    },

    end(): void {
      rmSync(dir, { recursive: true })
    },
  }
}
