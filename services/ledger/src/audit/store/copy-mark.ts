import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, open, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'
import { payBillNumbers } from '../../pay-bill/rules/pay-bill'
import type { Database } from '../../database/database'
import type { Statement } from '../../database/transaction'

/** How far a database had come, in rows that never change: what an older copy of it does not have. */
const mark = z.object({
  /** When the database was made: no other has the same instant. */
  madeAt: z.string(),
  /** The last checkpoint of the journal and its digest; none at first. */
  seal: z.string().nullable(),
  digest: z.string().nullable(),
  /** The newest step of an intent; none at first. */
  intentId: z.string().nullable(),
  step: z.string().nullable(),
  at: z.string().nullable(),
  /** The last place of a Pay Bill number that was fetched. */
  place: z.number(),
})
export type CopyMark = z.output<typeof mark>

/** Undefined when nothing was marked yet. */
export function readMarkFile(file: string): CopyMark | undefined {
  return existsSync(file) ? mark.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined
}

/**
 * Writes the file whole or not at all: a process that ends midway leaves the earlier mark. The file is flushed beside
 * the payments, which do not wait for the disk.
 */
export async function writeMarkFile(file: string, marked: CopyMark): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // Every ledger of a country marks in the same folder, and in a cluster their process ids are the same too.
  const partial = `${file}.${randomUUID()}.partial`
  await writeFile(partial, `${JSON.stringify(marked, undefined, 2)}\n`, {
    mode: 0o600,
    flush: true,
  })
  await rename(partial, file)
}

/** Whether a ledger marks within this time: each that serves does so every second. */
export async function isMarkedWithin(file: string, ms: number): Promise<boolean> {
  const before = await markedAtMs(file)
  await wait(ms)
  return (await markedAtMs(file)) !== before
}

async function markedAtMs(file: string): Promise<number> {
  // Opened, because a shared volume may show from memory what another machine has replaced.
  const opened = await open(file)
  const { mtimeMs } = await opened.stat()
  await opened.close()
  return mtimeMs
}

/** The file by which an operator accepts that an older copy is the database from now on. */
function acceptanceOf(file: string): string {
  return `${file}.accepted`
}

export function isAccepted(file: string): boolean {
  return existsSync(acceptanceOf(file))
}

export function endAcceptance(file: string): void {
  rmSync(acceptanceOf(file), { force: true })
}

const lock: Statement = {
  name: 'take_turn_at_copy_mark',
  text: `SELECT pg_try_advisory_lock(hashtextextended('copy mark', 0)) AS "isHeld"`,
}

/**
 * Runs `task` in one ledger of the database at a time. Returns false also while another ledger has the turn, which ends
 * with its connection.
 */
export async function takeTurn(pool: Pool, task: () => Promise<boolean>): Promise<boolean> {
  const client = await pool.connect()
  return runInTurn(client, task).catch((error: unknown) => {
    client.release(true)
    throw error
  })
}

async function runInTurn(client: PoolClient, task: () => Promise<boolean>): Promise<boolean> {
  const { rows } = await client.query<{ isHeld: boolean }>(lock)
  const isDone = rows[0]?.isHeld === true && (await task())
  // Fails where the connection and with it the turn was lost: another ledger may have it, and this one tries again.
  await client.query('SELECT pg_advisory_unlock_all()')
  client.release()
  return isDone
}

const readNow: Statement = {
  name: 'read_copy_mark',
  text: `
    SELECT d.created_at::text AS "madeAt", s.seal::text, encode(s.digest, 'hex') AS digest,
      t.intent_id AS "intentId", t.step::text, t.at::text,
      (SELECT last_value::float8 FROM pay_bill_places) AS place
    FROM deployment d
    LEFT JOIN LATERAL (SELECT seal, digest FROM journal_seals ORDER BY seal DESC LIMIT 1) s ON true
    LEFT JOIN LATERAL (
      SELECT intent_id, step, at FROM intent_steps
      -- Without an earlier mark only the last hour is searched, as no index finds the newest step of all.
      WHERE at >= (SELECT coalesce($1::text::timestamptz, clock_timestamp() - interval '1 hour'))
      ORDER BY at DESC LIMIT 1
    ) t ON true`,
}

/**
 * Reads how far the database has come. Where no step is younger than `last`, the newest step is still that of `last`.
 */
export async function readMark(pool: Pool, last: CopyMark | undefined): Promise<CopyMark> {
  const { rows } = await pool.query<CopyMark>({ ...readNow, values: [last?.at ?? null] })
  const [row] = rows
  if (row === undefined) throw new Error('the database has no row of its deployment')
  if (row.at !== null || last === undefined) return row
  const { intentId, step, at } = last
  return { ...row, intentId, step, at }
}

interface Has {
  readonly isSame: boolean
  readonly hasSeal: boolean
  readonly hasStep: boolean
}

const compare: Statement = {
  name: 'compare_copy_mark',
  text: `
    SELECT
      (SELECT created_at = $1::text::timestamptz FROM deployment) AS "isSame",
      $2::text IS NULL OR EXISTS (
        SELECT FROM journal_seals WHERE seal = $2::text::bigint AND digest = decode($3::text, 'hex')
      ) AS "hasSeal",
      $4::text IS NULL OR EXISTS (
        SELECT FROM intent_steps
        WHERE intent_id = $4::text AND step = $5::text::bigint AND at = $6::text::timestamptz
        -- A detached month has its steps in a file, so a step of it is not missing.
      ) OR EXISTS (SELECT FROM detached_months WHERE until_at > $6::text::timestamptz) AS "hasStep"`,
}

/** Says what the database lacks of a mark; undefined where it lacks nothing. */
export async function missingOf(pool: Pool, marked: CopyMark): Promise<string | undefined> {
  const { madeAt, seal, digest, intentId, step, at } = marked
  const values = [madeAt, seal, digest, intentId, step, at]
  const { rows } = await pool.query<Has>({ ...compare, values })
  const [has] = rows
  if (has?.isSame !== true) return 'it is another database'
  if (!has.hasSeal) return `it lacks checkpoint ${String(seal)} of the journal`
  if (!has.hasStep) return `it lacks what happened at ${String(at)}`
  return undefined
}

/** More places than ledgers can have fetched after the mark: those of a second, and those that each has unused. */
const marginPlaces = 10_000
const placesAtOnce = 100_000

/** Passes over the places whose numbers payers may hold although the database no longer knows of them. */
export async function passOverPlaces(db: Database, marked: CopyMark): Promise<number> {
  const [{ place }] = await db.$queryRaw<[{ place: number }]>`
    SELECT last_value::float8 AS place FROM pay_bill_places`
  const ahead = marked.place - place
  // The places begin again after the last one: a marked place far below the database's is one of the next round.
  const lost = Math.max(0, ahead < -payBillNumbers / 2 ? ahead + payBillNumbers : ahead)
  const all = lost + marginPlaces
  for (let left = all; left > 0; left -= placesAtOnce) {
    const some = Math.min(left, placesAtOnce)
    await db.$queryRaw`
      SELECT count(*)::int FROM (SELECT nextval('pay_bill_places') FROM generate_series(1, ${some}::int)) passed`
  }
  return all
}
