import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@malipo/testing/eventually'
import { Pool } from 'pg'
import { createDatabase, postgresUrl } from '../postgres'
import { processesOf } from '../start.harness'
import { forgetStandby, type Standby, startStandby } from './standby'
import { standbyDirOf } from './standby-dir'
import { type RunningServer, startServer } from './standby.harness'

const dir = mkdtempSync(join(tmpdir(), 'malipo-standby-'))
const payingMs = 120_000

let given: RunningServer
let primary: RunningServer['primary']
let pool: Pool

beforeAll(async () => {
  mkdirSync(join(dir, 'backups'), { recursive: true })
  given = await startServer(dir, 'secret')
  ;({ primary } = given)
  await createDatabase(postgresUrl(primary, 'postgres'), 'ledger_ke')
  pool = new Pool({
    connectionString: postgresUrl(primary, 'ledger_ke'),
    connectionTimeoutMillis: 1_000,
    query_timeout: 2_000,
  })
  pool.on('error', () => undefined)
  await pool.query('CREATE TABLE payments (id SERIAL PRIMARY KEY, number INT NOT NULL)')
})
afterAll(async () => {
  await pool.end()
  await given.stop()
  rmSync(dir, { recursive: true, force: true })
})

interface Payments {
  /** The numbers whose commit was acknowledged. */
  readonly acknowledged: readonly number[]
  stop(): Promise<void>
}

/** 20 payments a second, each its own commit, as services make them: through an outage, with new connections. */
function startPaying(): Payments {
  const acknowledged: number[] = []
  let number = 0
  let isOver = false
  const pay = async (paid: number) => {
    const isPaid = await pool.query('INSERT INTO payments (number) VALUES ($1)', [paid]).then(
      () => true,
      () => false,
    )
    if (isPaid) acknowledged.push(paid)
  }
  const inFlight: Promise<void>[] = []
  const begin = () => {
    number += 1
    inFlight.push(pay(number))
    return isOver
  }
  const begun = eventually('the end of the payments', begin, payingMs, 50)
  return {
    acknowledged,
    async stop() {
      isOver = true
      await begun
      await Promise.all(inFlight)
    },
  }
}

async function storedNumbers(): Promise<number[]> {
  const { rows } = await pool.query<{ number: number }>(
    'SELECT number FROM payments ORDER BY number',
  )
  return rows.map(({ number }) => number)
}

let standby: Standby

test('a commit waits for the standby', async () => {
  standby = await startStandby(given)
  const { rows } = await pool.query<{ state: string }>(
    `SELECT sync_state AS state FROM pg_stat_replication WHERE application_name = 'standby'`,
  )
  expect(rows).toEqual([{ state: 'sync' }])
  const copy = new Pool({
    connectionString: postgresUrl({ ...primary, port: given.port }, 'ledger_ke'),
  })
  await pool.query('INSERT INTO payments (number) VALUES (0)')
  const isThere = async () => (await copy.query('SELECT 1 FROM payments')).rowCount === 1
  await eventually('the row of the standby', isThere)
  await expect(copy.query('INSERT INTO payments (number) VALUES (0)')).rejects.toThrow('read-only')
  await copy.end()
})

test('a server whose machine is lost under payments is replaced within 30 s, with every acknowledged payment', async () => {
  const payments = startPaying()
  await eventually('some payments', () => payments.acknowledged.length > 40)
  process.kill(processesOf(dir)['postgres']?.pid ?? 0, 'SIGKILL')
  rmSync(primary.dataDir, { recursive: true, force: true })
  const from = performance.now()
  const before = payments.acknowledged.length
  await standby.promote()
  await eventually('payments again', () => payments.acknowledged.length > before + 20)
  const seconds = (performance.now() - from) / 1_000
  await payments.stop()
  const stored = await storedNumbers()
  const lost = payments.acknowledged.filter((number) => !stored.includes(number))
  expect(lost).toEqual([])
  expect(new Set(stored).size).toBe(stored.length)
  expect(seconds).toBeLessThan(30)
  process.stderr.write(
    `fail-over: ${seconds.toFixed(1)} s, ${String(payments.acknowledged.length)} acknowledged\n`,
  )
})

test('the promoted server has no password in its folder, which backups copy', () => {
  const settings = readFileSync(join(primary.dataDir, 'postgresql.auto.conf'), 'utf8')
  expect(settings).not.toMatch(/password|primary_|hot_standby/)
})

test('the promoted server has no standby, and after a start without one its commits wait for none', async () => {
  expect(existsSync(standbyDirOf(dir))).toBe(false)
  expect(readdirSync(dir).filter((name) => name.startsWith('postgres'))).toContain('postgres')
  await forgetStandby(given, { keepsCopy: false })
  const { rows } = await pool.query('SELECT slot_name FROM pg_replication_slots')
  expect(rows).toEqual([])
  await pool.query('INSERT INTO payments (number) VALUES (0)')
})
