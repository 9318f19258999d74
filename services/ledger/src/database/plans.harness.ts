import type { Pool, PoolClient } from 'pg'
import { settlePlans } from './database'
import type { Statement } from './transaction'

/** Statements by what they do, each with its values for an id. */
export type PlannedStatements = Readonly<
  Record<string, readonly [Statement, (id: string) => unknown[]]>
>

export interface EarlyPlans {
  /** How many rows each statement looked at when the tables were full, by a plan that was made while they were not. */
  readonly looked: Readonly<Record<string, number>>
  /** How often each statement was planned anew for its values. */
  readonly custom: Readonly<Record<string, number>>
}

/**
 * Plans statements while their tables are small, and runs them with these plans when the tables are full. Rolls all
 * back.
 */
export async function planEarly(
  pool: Pool,
  statements: PlannedStatements,
  fill: { few?(client: PoolClient): Promise<unknown>; many(client: PoolClient): Promise<unknown> },
): Promise<EarlyPlans> {
  const client = await pool.connect()
  await client.query('BEGIN')
  await client.query('SET LOCAL session_replication_role = replica')
  for (const [setting, value] of Object.entries(settlePlans)) {
    await client.query(`SET LOCAL ${setting} = ${value}`)
  }
  await fill.few?.(client)
  await lookOfEach(client, statements, 'few')
  await fill.many(client)
  const looked = await lookOfEach(client, statements, '7')
  const custom = await customPlans(client, statements)
  await client.query('ROLLBACK')
  client.release()
  return { looked, custom }
}

async function lookOfEach(client: PoolClient, statements: PlannedStatements, id: string) {
  const looks: Record<string, number> = {}
  for (const [name, [statement, valuesOf]] of Object.entries(statements)) {
    await client.query('SAVEPOINT before')
    const before = await lookedAt(client)
    await client.query({ ...statement, values: valuesOf(id) })
    looks[name] = (await lookedAt(client)) - before
    await client.query('ROLLBACK TO before')
  }
  return looks
}

async function lookedAt(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ looked: number }>(
    `SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS looked FROM pg_stat_xact_user_tables`,
  )
  return rows[0]?.looked ?? 0
}

async function customPlans(client: PoolClient, statements: PlannedStatements) {
  const { rows } = await client.query<{ name: string; custom: number }>(
    'SELECT name, custom_plans::int AS custom FROM pg_prepared_statements WHERE generic_plans > 1',
  )
  const custom = new Map(rows.map((row) => [row.name, row.custom]))
  return Object.fromEntries(
    Object.entries(statements).map(([what, [{ name }]]) => [what, custom.get(name) ?? Number.NaN]),
  )
}

/** Tests each statement: a plan that was made early reads few rows, whatever the values are. */
export function testPlans(statements: PlannedStatements, plans: () => EarlyPlans): void {
  test.each(Object.keys(statements))(
    '%s reads no whole table with a plan that was made while the tables were small',
    (name) => {
      expect(plans().looked[name]).toBeLessThan(20)
    },
  )

  test.each(Object.keys(statements))('%s is planned once for each connection', (name) => {
    expect(plans().custom[name]).toBe(0)
  })
}
