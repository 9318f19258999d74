import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@malipo/testing/eventually'
import { Client } from 'pg'
import { openPostgres, type Postgres } from '../postgres'
import { archiveOf, dataOf } from './about'
import { archiveSettings } from './archive'
import { problemsOf } from './manifest'
import { takeBackup } from './take-backup'

const dir = mkdtempSync(join(tmpdir(), 'malipo-full-archive-'))

let server: Postgres
let client: Client

/** Takes a backup as `npm run backup` does, which keeps the lock file there until it ends. */
async function backUp(): Promise<string> {
  const lock = join(dir, 'backup.lock')
  writeFileSync(lock, '')
  const backup = takeBackup({
    dir,
    databaseUrl: server.url('postgres'),
    onProgress: () => undefined,
  })
  return backup.finally(() => {
    rmSync(lock)
  })
}

/** Ends a segment, waits until the server takes it for archived, and returns whether the archive has it. */
async function isKept(backup: string): Promise<boolean> {
  await client.query('INSERT INTO payments VALUES ($1)', [randomBytes(3_000_000)])
  const { rows } = await client.query<{ segment: string }>(
    'SELECT pg_walfile_name(pg_switch_wal()) AS segment',
  )
  const segment = rows[0]?.segment ?? ''
  await eventually('it is archived', async () => {
    const answer = await client.query<{ last: string | null }>(
      'SELECT last_archived_wal AS last FROM pg_stat_archiver',
    )
    return (answer.rows[0]?.last ?? '') >= segment
  })
  return existsSync(join(archiveOf(backup), `${segment}.gz`))
}

function foldersBeside(backup: string): string[] {
  const home = join(backup, '..')
  return readdirSync(home)
    .sort()
    .map((name) => join(home, name))
}

/** Bounds the log that is archived since the newest backup. */
async function keepAtMost(kb: number): Promise<void> {
  const command = `${archiveSettings(dir)['archive_command'] ?? ''} ${String(kb)}`
  await client.query(`ALTER SYSTEM SET archive_command = ${client.escapeLiteral(command)}`)
  await client.query('SELECT pg_reload_conf()')
}

beforeAll(async () => {
  server = await openPostgres({
    dataDir: join(dir, 'postgres'),
    password: 'secret',
    settings: { archive_mode: 'on' },
  })
  client = new Client({ connectionString: server.url('postgres') })
  await client.connect()
  await client.query('CREATE TABLE payments (filler BYTEA)')
  await keepAtMost(8_192)
})
afterAll(async () => {
  await client.end()
  await server.stop()
  rmSync(dir, { recursive: true, force: true })
})

test('a backup beside a full archive succeeds, and the log is kept again from then on', async () => {
  const first = await backUp()
  expect(await isKept(first)).toBe(true)
  await eventually('the archive is full', async () => !(await isKept(first)))
  const next = await backUp()
  expect(await problemsOf(dataOf(next))).toEqual([])
  expect(await isKept(next)).toBe(true)
})

test('the remains of a killed backup make no room in a full archive, and the next backup removes them', async () => {
  const next = await backUp()
  await eventually('the archive is full', async () => !(await isKept(next)))
  // By its name it is newer than the last whole backup.
  const left = join(next, '../9999.partial')
  mkdirSync(left)
  expect(await isKept(next)).toBe(false)
  const newest = await backUp()
  expect(foldersBeside(newest)).toEqual([next, newest, archiveOf(newest)])
})

test('a backup that fails leaves no copy behind', async () => {
  const newest = await backUp()
  const before = foldersBeside(newest)
  await keepAtMost(-1)
  await eventually('nothing is kept', async () => !(await isKept(newest)))
  await expect(backUp()).rejects.toThrow('is damaged: the archived log does not reach')
  expect(foldersBeside(newest)).toEqual(before)
})
