import { isDatabaseAway } from '@malipo/runtime/database'
import type { Database } from '../../database/database'
import { detachedUntil, type Invariant, touchedTables } from './invariant'
import { moneyInvariants } from './money-invariants'
import { stateInvariants } from './state-invariants'
import { wireInvariants } from './wire-invariants'

/**
 * The invariants of a ledger's database. Number 27 is about keys and is checked in the database of the keys service.
 */
export const invariants: readonly Invariant[] = [
  ...moneyInvariants,
  ...stateInvariants,
  ...wireInvariants,
]

export interface Finding {
  readonly number: number
  readonly statement: string
  /** How many rows break it; undefined when the query timed out or lost its connection. */
  readonly rows: number | undefined
  /** How many of them were touched since the instant of the audit. */
  readonly touched: number | undefined
  readonly examples: readonly string[]
}

/** A time of the database's clock, as text in PostgreSQL's format. */
export type DatabaseInstant = string

export const ever: DatabaseInstant = '-infinity'

const examplesMax = 5

/**
 * The instant so many seconds ago, or an earlier one: before each transaction that is not committed, so that no row of
 * an earlier time can appear later.
 */
export async function instantAgo(db: Database, seconds: number): Promise<DatabaseInstant> {
  const [row] = await db.$queryRaw<[{ at: string }]>`
    SELECT least(clock_timestamp() - make_interval(secs => ${seconds}), committed_until())::text AS at`
  return row.at
}

/**
 * Checks each invariant in turn, on what was touched since its instant. `rest` runs after each one, and says whether to
 * go on.
 */
export async function audit(
  db: Database,
  sinceOf: (invariant: number) => DatabaseInstant,
  rest: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const invariant of invariants) {
    const since = sinceOf(invariant.number)
    const isOfAll = since === ever || (await reachesDetached(db, since))
    findings.push(await ask(db, invariant, { since, isOfAll }))
    if (!(await rest())) break
  }
  return findings
}

/** Intents are found by their steps, at most this much older than the instant of the audit. */
const aroundSeconds = 3_600

/** Whether detached files may have some of the steps by which an audit since an instant finds its intents. */
async function reachesDetached(db: Database, since: DatabaseInstant): Promise<boolean> {
  const [row] = await db.$queryRawUnsafe<[{ reaches: boolean }]>(
    `SELECT $1::timestamptz - make_interval(secs => ${String(aroundSeconds)}) < ${detachedUntil} AS reaches`,
    since,
  )
  return row.reaches
}

/** The complete SQL of an invariant's queries: `$1` is the instant, and one row comes back. */
export function auditQuery(
  { query, openQuery = 'SELECT NULL WHERE false' }: Pick<Invariant, 'query' | 'openQuery'>,
  isOfAll: boolean,
): string {
  return `
    WITH ${touchedTables(isOfAll)},
      broken AS MATERIALIZED (${query}),
      open (who) AS MATERIALIZED (${openQuery}),
      -- Used here because not every query has $1, and a parameter that is used nowhere has no type.
      given AS (SELECT $1::timestamptz)
    SELECT touched, touched + (SELECT count(*)::int FROM open) AS rows,
      ARRAY(
        SELECT who::text FROM broken UNION ALL SELECT who::text FROM open LIMIT ${String(examplesMax)}
      ) AS examples
    FROM (SELECT count(*)::int AS touched FROM broken) counted`
}

async function ask(
  db: Database,
  { number, statement, ...queries }: Invariant,
  { since, isOfAll }: { readonly since: DatabaseInstant; readonly isOfAll: boolean },
): Promise<Finding> {
  const answer = db.$queryRawUnsafe<[Pick<Finding, 'rows' | 'touched' | 'examples'>]>(
    auditQuery(queries, isOfAll),
    since,
  )
  const [found] = await answer.catch((error: unknown) => {
    // A timeout or a lost connection leaves the result unknown, and never counts as zero broken rows.
    if (isDatabaseAway(error))
      return [{ rows: undefined, touched: undefined, examples: [] }] as const
    throw error
  })
  return { number, statement, ...found }
}

/** Longer than any transaction of ours may live, so that nothing comes late into a sealed stretch. */
const restSeconds = 60
/** A stretch of this length is digested within the time limit of one statement. */
const stretchSeconds = 300

/** Seals the part of the journal that has come to rest. */
export async function sealJournal(db: Database): Promise<void> {
  for (;;) {
    const [row] = await db.$queryRaw<[{ more: boolean }]>`
      SELECT seal_journal(p_rest_seconds => ${restSeconds}::float8, p_stretch_seconds => ${stretchSeconds}::float8)
        AS more`
    if (!row.more) return
  }
}

/** Whether a server is a standby, and when the last transaction that it has replayed was committed. */
export async function readStandby(db: Database) {
  const [row] = await db.$queryRaw<[{ isStandby: boolean; replayedUntil: Date | null }]>`
    SELECT pg_is_in_recovery() AS "isStandby", pg_last_xact_replay_timestamp() AS "replayedUntil"`
  return row
}
