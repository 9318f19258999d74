import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { claimDir } from '../claim'
import { readOptions } from '../config'
import { openDatabases, smallMachine } from '../databases'
import { takeAutoPorts } from '../ports'
import { createDatabase, openPostgres, postgresUrl } from '../postgres'
import { makeSecrets, writeSecrets } from '../secrets'
import { processesOf } from '../start.harness'
import { openSupervisor } from '../supervisor'
import { promoteStopped } from './promote-stopped'
import { endRecovery, forgetStandby, startStandby } from './standby'
import { standbyDirOf } from './standby-dir'
import { type RunningServer, startServer } from './standby.harness'

const home = mkdtempSync(join(tmpdir(), 'malipo-lost-server-'))
const dir = join(home, 'stack')
const serverDir = join(dir, 'postgres')
const standbyDir = standbyDirOf(dir)
const secrets = makeSecrets()
const password = secrets.postgresPassword
const onProgress = () => undefined

let running: RunningServer

async function startBoth(): Promise<void> {
  running = await startServer(dir, password)
  await startStandby(running)
}

/** Why a start does not open the databases; one that would is ended before it migrates them. */
async function refusal(flags: readonly string[]): Promise<string> {
  const options = readOptions(['--dir', dir, '--ports', 'auto', ...flags], {})
  const claim = await claimDir(dir)
  const supervisor = openSupervisor({ dir, claim, began: () => undefined })
  const ports = await takeAutoPorts(dir)
  const given = { options, ports, secrets, supervisor, onProgress, signal: AbortSignal.abort() }
  const answer = await openDatabases(given).then(() => 'opened', String)
  await supervisor.stopAll()
  claim.release()
  return answer
}

const urlOf = (database: string) => postgresUrl(running.primary, database)

async function ask<Row>(sql: string, url = urlOf('books')): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows as Row[]
}

const pay = (number: number) => ask(`INSERT INTO payments VALUES (${String(number)})`)

async function paid(url?: string): Promise<number[]> {
  const rows = await ask<{ number: number }>('SELECT number FROM payments ORDER BY number', url)
  return rows.map(({ number }) => number)
}

const promote = () => promoteStopped({ dir, claim: () => claimDir(dir), onProgress })
const kept = (name: string) => readdirSync(dir).filter((one) => one.startsWith(`${name}.lost-`))

beforeAll(async () => {
  writeSecrets(dir, secrets)
  await startBoth()
  await createDatabase(urlOf('postgres'), 'books')
  await ask('CREATE TABLE payments (number INT PRIMARY KEY)')
  await pay(1)
})
afterAll(async () => {
  await running.stop()
  rmSync(home, { recursive: true, force: true })
})

// The chapters below are one story of one folder: each begins where the one before left it.

test('a start is refused where the folder of the server is gone, and leaves the standby as it is', async () => {
  process.kill(processesOf(dir)['postgres']?.pid ?? 0, 'SIGKILL')
  rmSync(serverDir, { recursive: true, force: true, maxRetries: 10 })
  await running.stop()
  const control = () => readFileSync(join(standbyDir, 'global/pg_control'), 'hex')
  const before = control()
  for (const flags of [['--standby'], []]) {
    expect(await refusal(flags)).toContain(`npm run promote -- --dir ${dir}`)
  }
  expect(existsSync(serverDir)).toBe(false)
  expect(control()).toBe(before)
})

test('a promotion without a running stack brings back what was acknowledged', async () => {
  await promote()
  await startBoth()
  expect(await paid()).toEqual([1])
  await pay(2)
})

test('a promotion that was broken off before its folder took the place is ended by another', async () => {
  await running.stop()
  const server = await openPostgres({ dataDir: standbyDir, password, settings: smallMachine })
  await endRecovery(server.url('postgres'), 60_000)
  await server.stop()
  expect(await refusal(['--standby'])).toContain('was broken off: npm run promote')
  await promote()
  expect(kept('postgres')).toHaveLength(1)
  await startBoth()
  expect(await paid()).toEqual([1, 2])
})

describe('the folder of a standby that no longer follows is kept', () => {
  it('by a start that makes another', async () => {
    await running.stop()
    running = await startServer(dir, password)
    await ask(`SELECT pg_drop_replication_slot('standby')`)
    await startStandby(running)
    expect([existsSync(standbyDir), kept('standby').length]).toEqual([true, 1])
  })

  it('by a start without one, after which there is none to promote', async () => {
    await running.stop()
    running = await startServer(dir, password)
    await forgetStandby(running, { keepsCopy: false })
    expect([existsSync(standbyDir), kept('standby').length]).toEqual([false, 2])
    await running.stop()
    await expect(promote()).rejects.toThrow('There is no standby')
  })
})
