import { freePort } from '@malipo/stack/free-port'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { eventually } from '@malipo/testing/eventually'
import { startLedger } from '../start.harness'
import { schema } from './schema-version'

let database: TestDatabase

beforeEach(async () => {
  database = await cloneDatabase('ledger')
})

afterEach(async () => {
  jest.restoreAllMocks()
  await database.drop()
})

/** Gives the database a version and a floor, as the migrate step of another release does. */
async function migrateTo(version: number, floor: number): Promise<void> {
  await database.pool.query(`
    CREATE OR REPLACE FUNCTION schema_version() RETURNS TABLE (version INTEGER, floor INTEGER)
    LANGUAGE sql AS $$ SELECT ${String(version)}, ${String(floor)} $$`)
}

/** A ledger that starts, and what its readiness says. */
async function starting() {
  const adminPort = await freePort()
  const started = startLedger(database, { adminPort })
  const readiness = async () => {
    const url = `http://127.0.0.1:${String(adminPort)}/readyz`
    return (await fetch(url).catch(() => undefined))?.text()
  }
  return { started, readiness }
}

test.each([
  [
    'behind what it needs',
    [schema.needs - 1, schema.needs - 1],
    `the database has version ${String(schema.needs - 1)}, and this release needs ${String(schema.needs)}: run the migrate step`,
  ],
  [
    'whose floor is above it',
    [schema.version + 1, schema.version + 1],
    `takes releases of version ${String(schema.version + 1)} and later, and this one has ${String(schema.version)}: deploy a later release`,
  ],
] as const)(
  'a ledger on a database %s is not ready, says why, and starts by itself when that has changed',
  async (_, [version, floor], reason) => {
    await migrateTo(version, floor)
    const { started, readiness } = await starting()
    const refused = async () => {
      const text = await readiness()
      return text?.includes('schema (') === true && text
    }
    expect(await eventually('it says why', refused)).toContain(reason)
    await migrateTo(schema.version, schema.version)
    const ledger = await started
    expect(await readiness()).toBe('ready\n')
    await ledger.stop()
  },
)

test('a ledger waits for a database that has no version yet', async () => {
  await database.pool.query('DROP FUNCTION schema_version()')
  const { started, readiness } = await starting()
  await eventually('it waits', async () => (await readiness())?.includes('has version 0,'))
  await migrateTo(schema.version, schema.version)
  await (await started).stop()
})

test('the migrate step of a later release that only expands leaves a running ledger at work', async () => {
  const running = await startLedger(database)
  await migrateTo(schema.version + 1, schema.version)
  const { started, readiness } = await starting()
  const behind = await started
  expect(await readiness()).toBe('ready\n')
  for (const ledger of [running, behind]) {
    await ledger.openWallet({ accountId: 'acc_a', cardEnabled: false })
    await ledger.stop()
  }
})

test('a contract migration that raises the floor ends the running ledgers of versions below it', async () => {
  const { started, readiness } = await starting()
  const ledger = await started
  const killed = jest.spyOn(process, 'kill').mockReturnValue(true)
  await migrateTo(schema.version + 1, schema.version + 1)
  await eventually('it ends', () => killed.mock.calls.length > 0)
  expect(killed).toHaveBeenCalledWith(process.pid, 'SIGTERM')
  expect(await readiness()).toMatch(/^not ready: schema \(the database takes releases of version/)
  await ledger.stop()
})

test('the code and prisma/sql have the same version', async () => {
  const { rows } = await database.pool.query('SELECT version FROM schema_version()')
  expect(rows).toEqual([{ version: schema.version }])
})
