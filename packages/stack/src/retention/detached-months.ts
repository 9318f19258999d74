import type { Client } from 'pg'
import type { FileDigest } from './detached-file'

/** A month whose file is recorded. */
export interface DetachedMonth extends FileDigest {
  /** `2026-08`. */
  readonly month: string
  readonly until: string
  readonly previous: string | null
  /** Null while some of its rows may be left. */
  readonly removedAt: string | null
}

/** Every month that was detached, in order. */
export async function readMonths(client: Client): Promise<DetachedMonth[]> {
  const { rows } = await client.query<DetachedMonth>(`
    SELECT to_char(month, 'YYYY-MM') AS month, until_at::text AS until, steps::float8, bodies::float8,
      encode(sha256, 'hex') AS sha256, encode(previous_sha256, 'hex') AS previous, removed_at::text AS "removedAt"
    FROM detached_months ORDER BY month`)
  return rows
}

export type RecordedFile = Omit<DetachedMonth, 'removedAt'>

/** Records the file of a month: from now on the rows that are in the file may be removed. */
export async function recordMonth(
  client: Client,
  { month, until, steps, bodies, sha256, previous }: RecordedFile,
  note: string,
): Promise<void> {
  await client.query(
    `INSERT INTO detached_months (month, until_at, steps, bodies, sha256, previous_sha256, written_by, note, written_at)
     VALUES (($1 || '-01')::date, $2, $3, $4, decode($5, 'hex'), decode($6, 'hex'), session_user, $7, clock_timestamp())`,
    [month, until, steps, bodies, sha256, previous, note],
  )
}

export async function endMonth(client: Client, month: string): Promise<void> {
  await client.query(
    "UPDATE detached_months SET removed_at = clock_timestamp() WHERE month = ($1 || '-01')::date",
    [month],
  )
}
