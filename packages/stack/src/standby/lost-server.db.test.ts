import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@malipo/testing/eventually'
import { Client } from 'pg'
import { archiveOf } from '../backup/about'
import { restore } from '../backup/restore'
import { takeBackup } from '../backup/take-backup'
import { claimDir } from '../claim'
import { readOptions } from '../config'
import { openDatabases, smallMachine } from '../databases'
import { copyMarkFileOf } from '../operations/restored'
import { takeAutoPorts } from '../ports'
import { createDatabase, openPostgres, postgresUrl } from '../postgres'
import { writePrivateFile } from '../private-file'
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
/** A backup of the first server, and a moment before that server was lost. */
let backup: string
let moment: Date

async function startBoth(): Promise<void> {
  running = await startServer(dir, password)
  await startStandby(running)
}

/** The error of a start that does not open the databases. A start that opens them is ended before it migrates them. */
async function refusal(flags: readonly string[]): Promise<string> {
  const options = readOptions(['--dir', dir, '--ports', 'auto', ...flags], {})
  const claim = await claimDir(dir)
  const supervisor = openSupervisor({ dir, claim, began: () => undefined })
  const ports = await takeAutoPorts(dir)
  const given = { options, ports, secrets, supervisor, onProgress, signal: AbortSignal.abort() }
  const answer = await openDatabases(given).then(() => 'opened', String)
  await supervisor.stopAll(() => undefined)
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

async function archiveAll(): Promise<void> {
  const [row] = await ask<{ segment: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS segment')
  const archived = join(archiveOf(backup), `${row?.segment ?? ''}.gz`)
  await eventually('the log is archived', () => existsSync(archived))
}

async function clock(): Promise<Date> {
  const [row] = await ask<{ now: Date }>('SELECT clock_timestamp() AS now')
  return row?.now ?? new Date(0)
}

/** Restores the backup, and returns the payments that are there. */
async function restored(to: Date | undefined): Promise<number[]> {
  const into = mkdtempSync(join(home, 'restored-'))
  await restore({ backup, into, to, stackDir: undefined, onProgress })
  const server = await openPostgres({ dataDir: join(into, 'postgres'), password })
  const numbers = await paid(server.url('books'))
  await server.stop()
  return numbers
}

const promote = () => promoteStopped({ dir, claim: () => claimDir(dir), onProgress })
const kept = (name: string) => readdirSync(dir).filter((one) => one.startsWith(`${name}.lost-`))

beforeAll(async () => {
  writeSecrets(dir, secrets)
  for (const country of ['ke', 'ug'] as const) {
    writePrivateFile(copyMarkFileOf(dir, country), '{}')
  }
  await startBoth()
  for (const name of ['accounts', 'books']) await createDatabase(urlOf('postgres'), name)
  // A restore ends sign-in sessions, so the database of accounts needs this table.
  await ask('CREATE TABLE sign_in_sessions (ended_at TIMESTAMPTZ)', urlOf('accounts'))
  await ask('INSERT INTO sign_in_sessions VALUES (NULL)', urlOf('accounts'))
  await ask('CREATE TABLE payments (number INT PRIMARY KEY)')
  await pay(1)
  backup = await takeBackup({ dir, databaseUrl: urlOf('books'), onProgress })
  await pay(2)
  // A restore takes whole milliseconds, so the moment is rounded up.
  moment = new Date((await clock()).getTime() + 1)
  await eventually('it is past', async () => (await clock()) > moment)
  await archiveAll()
})
afterAll(async () => {
  await running.stop()
  rmSync(home, { recursive: true, force: true })
})

// The tests below share one folder: each begins with what the test before it has left.

test('a start is refused where the folder of the server is gone, and leaves the standby as it is', async () => {
  process.kill(processesOf(dir)['postgres']?.pid ?? 0, 'SIGKILL')
  // Moved and not deleted, because children of the killed server still write into it for a moment.
  renameSync(serverDir, join(dir, 'gone'))
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
  expect(await paid()).toEqual([1, 2])
  await pay(3)
})

test('row 97: a backup of the lost server restores what was paid after the promotion, and a moment before it', async () => {
  expect(await ask('SHOW archive_timeout')).toEqual([{ archive_timeout: '30s' }])
  await archiveAll()
  expect(await restored(undefined)).toEqual([1, 2, 3])
  expect(await restored(moment)).toEqual([1, 2])
})

test('a second promotion completes one that was broken off before the folder of the standby took its place', async () => {
  await running.stop()
  const server = await openPostgres({ dataDir: standbyDir, password, settings: smallMachine })
  await endRecovery(dir, server.url('postgres'), 60_000)
  await server.stop()
  expect(await refusal(['--standby'])).toContain('was broken off: npm run promote')
  await promote()
  expect(kept('postgres')).toHaveLength(1)
  await startBoth()
  expect(await paid()).toEqual([1, 2, 3])
})

describe('the folder of a standby that no longer follows is kept', () => {
  it('by a start that makes another', async () => {
    await running.stop()
    running = await startServer(dir, password)
    await ask(`SELECT pg_drop_replication_slot('standby')`)
    await startStandby(running)
    expect([existsSync(standbyDir), kept('standby').length]).toEqual([true, 1])
  })

  it('by a start without a standby, after which a promotion is refused', async () => {
    await running.stop()
    running = await startServer(dir, password)
    await forgetStandby(running, { keepsCopy: false })
    expect([existsSync(standbyDir), kept('standby').length]).toEqual([false, 2])
    await running.stop()
    await expect(promote()).rejects.toThrow('There is no standby')
  })
})
