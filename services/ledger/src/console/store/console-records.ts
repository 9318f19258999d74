import type { Database } from '../../database/database'
import { type ConsoleRecordKind, recordsMax } from '../rules/console-record'

/** A record by the digest of its token. */
export interface RecordName {
  readonly kind: ConsoleRecordKind
  readonly digest: Buffer
}

export interface NewRecord extends RecordName {
  readonly body: Buffer
  readonly idleSeconds: number
  readonly lifeSeconds: number
}

/** Keeps a record. Removes records that have ended, and those of the same kind beyond `recordsMax`. */
export async function keepRecord(db: Database, record: NewRecord): Promise<void> {
  const { kind, digest, body, idleSeconds, lifeSeconds } = record
  const firstSeconds = Math.min(idleSeconds, lifeSeconds)
  await db.$executeRaw`
    WITH gone AS (
      -- SKIP LOCKED: what another call removes at this moment needs no second removal.
      SELECT kind, digest FROM console_records
      WHERE expires_at < (SELECT clock_timestamp()) OR (kind, digest) IN (
        SELECT kind, digest FROM console_records WHERE kind = ${kind}
        ORDER BY expires_at DESC OFFSET ${recordsMax[kind] - 1}
      )
      FOR UPDATE SKIP LOCKED
    ), removed AS (
      DELETE FROM console_records r USING gone WHERE r.kind = gone.kind AND r.digest = gone.digest
    )
    INSERT INTO console_records (kind, digest, body, idle_seconds, expires_at, ends_at)
    VALUES (${kind}, ${digest}, ${body}, ${idleSeconds}, clock_timestamp() + make_interval(secs => ${firstSeconds}::int),
      clock_timestamp() + make_interval(secs => ${lifeSeconds}::int))`
}

interface Found {
  readonly body: Uint8Array
}

/** Returns the body of a record, and lets its idle time begin anew. */
export async function readRecord(db: Database, name: RecordName): Promise<Buffer | undefined> {
  const [found] = await db.$queryRaw<Found[]>`
    UPDATE console_records
    SET expires_at = least(ends_at, clock_timestamp() + make_interval(secs => idle_seconds))
    WHERE kind = ${name.kind} AND digest = ${name.digest} AND expires_at >= (SELECT clock_timestamp())
    RETURNING body`
  return found && Buffer.from(found.body)
}

/** Removes a record and returns its body. Of two callers at one moment one gets it. */
export async function takeRecord(db: Database, name: RecordName): Promise<Buffer | undefined> {
  const [found] = await db.$queryRaw<Found[]>`
    DELETE FROM console_records
    WHERE kind = ${name.kind} AND digest = ${name.digest} AND expires_at >= (SELECT clock_timestamp())
    RETURNING body`
  return found && Buffer.from(found.body)
}
