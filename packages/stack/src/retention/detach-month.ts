import { existsSync } from 'node:fs'
import { Client } from 'pg'
import { detachableLines } from './detachable-rows'
import { detachedFile, sha256Of, writeDetachedFile } from './detached-file'
import { type DetachedMonth, endMonth, readMonths, recordMonth } from './detached-months'
import { removeRows } from './remove-rows'
import { detachAfterDays, newestDetachable } from './retention'

export interface DetachOptions {
  /** The ledger's database, as its owner. */
  readonly databaseUrl: string
  /** Whose ledger it is. */
  readonly country: string
  /** The folder of the files. */
  readonly dir: string
  /** `2026-08`, of UTC. */
  readonly month: string
  readonly note: string
  readonly onProgress: (line: string) => void
}

/**
 * Writes the steps and message bodies before the end of a month, of payments that are finished, to a file; reads it
 * again; records its digest; and then removes what it has from the database. After a crash at any point it goes on when
 * it is run again. Returns the file.
 */
export async function detachMonth(options: DetachOptions): Promise<string> {
  const { databaseUrl, country, dir, month, onProgress } = options
  const client = new Client({ connectionString: databaseUrl, application_name: 'detach' })
  await client.connect()
  try {
    await client.query("SET TIME ZONE 'UTC'")
    await holdLock(client)
    const until = await endOf(client, country, month)
    const months = await readMonths(client)
    refuseMonth(month, months)
    const file = detachedFile(dir, country, month)
    const begun = months.at(-1)?.month === month ? months.at(-1) : undefined
    const recorded = begun ?? (await write(client, options, { until, months, file }))
    await refuseOtherFile(file, recorded)
    await removeRows(client, file, onProgress)
    await endMonth(client, month)
    onProgress('Making the space usable again …')
    await client.query('VACUUM (ANALYZE) intent_steps')
    await client.query('VACUUM (ANALYZE) provider_messages')
    return file
  } finally {
    await client.end()
  }
}

/**
 * Detaches the newest month that may be detached at `now`. A month that was begun and not finished comes first, because
 * no other month is accepted before it. Returns the files.
 */
export async function detachNewest(
  options: Omit<DetachOptions, 'month'>,
  now: Date,
): Promise<string[]> {
  const newest = newestDetachable(now)
  const files: string[] = []
  for (const month of new Set([(await readBegun(options.databaseUrl)) ?? newest, newest])) {
    files.push(await detachMonth({ ...options, month }))
  }
  return files
}

async function readBegun(databaseUrl: string): Promise<string | undefined> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'detach' })
  await client.connect()
  try {
    return (await readMonths(client)).find(({ removedAt }) => removedAt === null)?.month
  } finally {
    await client.end()
  }
}

async function holdLock(client: Client): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>(
    "SELECT pg_try_advisory_lock(hashtextextended('detached months', 0)) AS held",
  )
  if (rows[0]?.held !== true) throw new Error('A month is being detached already')
}

/** The end of a month that may be detached. */
async function endOf(client: Client, country: string, month: string): Promise<string> {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw new Error('Which month? --month 2026-08')
  interface Row {
    readonly country: string
    readonly until: string
    readonly from: string
    readonly isOld: boolean
  }
  const { rows } = await client.query<Row>(
    `SELECT country, until::text, to_char(until + $2::int * interval '1 day', 'YYYY-MM-DD') AS from,
       until + $2::int * interval '1 day' <= clock_timestamp() AS "isOld"
     FROM deployment, (SELECT ($1 || '-01')::timestamptz + interval '1 month') months (until)`,
    [month, detachAfterDays],
  )
  const [row] = rows
  if (row?.country !== country)
    throw new Error(`This is not the database of the ledger of ${country}`)
  if (!row.isOld) {
    throw new Error(
      `${month} can be detached from ${row.from} on: ${String(detachAfterDays)} days are kept`,
    )
  }
  return row.until
}

function refuseMonth(month: string, months: readonly DetachedMonth[]): void {
  const last = months.at(-1)
  if (last === undefined) return
  if (last.removedAt === null && last.month !== month) {
    throw new Error(`${last.month} was begun and is not done: detach it first`)
  }
  if (last.removedAt !== null && last.month >= month) {
    throw new Error(
      `${last.month} was detached: what a month before its end has left goes with the next month`,
    )
  }
}

interface Writing {
  readonly until: string
  readonly months: readonly DetachedMonth[]
  readonly file: string
}

async function write(
  client: Client,
  { country, month, note, onProgress }: DetachOptions,
  { until, months, file }: Writing,
): Promise<DetachedMonth> {
  onProgress(`Writing ${file} …`)
  const previous = months.at(-1)?.sha256 ?? null
  const about = { malipo: 'detached', version: 1, country, month, until, previous } as const
  const digest = await writeDetachedFile(file, about, detachableLines(client, until))
  const recorded = { month, until, previous, ...digest }
  onProgress(`Wrote ${String(digest.steps)} steps and ${String(digest.bodies)} bodies`)
  await recordMonth(client, recorded, note)
  onProgress('Recorded')
  return { ...recorded, removedAt: null }
}

/** Throws if the file is not the recorded one: only rows of a recorded file may be removed. */
async function refuseOtherFile(file: string, { month, sha256 }: DetachedMonth): Promise<void> {
  if (!existsSync(file)) {
    throw new Error(`${file} is missing: nothing is removed. Bring it back, or name its folder`)
  }
  if ((await sha256Of(file)) !== sha256) {
    throw new Error(`${file} is not the file that was recorded of ${month}: nothing is removed`)
  }
}
