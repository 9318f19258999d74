import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@malipo/testing/eventually'
import { Client } from 'pg'
import { migrate } from '../migrate'
import { copyMarkFileOf } from '../operations/restored'
import { createDatabase, openPostgres, type Postgres } from '../postgres'
import { makeSecrets, writeSecrets } from '../secrets'
import { writePrivateFile } from '../private-file'
import { urlOfRole } from '../service-role'
import { archiveOf, dataOf, readAbout } from './about'
import { archiveSettings } from './archive'
import { problemsOf } from './manifest'
import { restore, type RestoreOptions } from './restore'
import { takeBackup } from './take-backup'

const home = mkdtempSync(join(tmpdir(), 'malipo-backup-'))
const dir = join(home, "owner's stack")
const secrets = makeSecrets()
const password = secrets.postgresPassword
const onProgress = () => undefined

const accountId = `acc_${'0'.repeat(24)}`
const sessionId = `ses_${'0'.repeat(24)}`

let server: Postgres
let client: Client
let backup: string
/** A moment between two payments, after the backup. */
let moment: Date
/** The payments that were committed by that moment, and in all. */
const committed = { atMoment: 0, inAll: 0 }

const open = (dataDir: string, stackDir: string) =>
  openPostgres({ dataDir, password, settings: archiveSettings(stackDir) })

const pay = () => client.query('INSERT INTO payments DEFAULT VALUES')

async function clock(): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now')
  const [row] = rows
  if (row === undefined) throw new Error('the database has no time')
  return row.now
}

async function count(of: Client): Promise<number> {
  const { rows } = await of.query<{ count: string }>('SELECT count(*) FROM payments')
  return Number(rows[0]?.count)
}

async function archiveAll(): Promise<void> {
  const { rows } = await client.query<{ segment: string }>(
    'SELECT pg_walfile_name(pg_switch_wal()) AS segment',
  )
  const archived = join(archiveOf(backup), `${rows[0]?.segment ?? ''}.gz`)
  await eventually('the log is archived', () => existsSync(archived))
}

/** Restores the backup, and returns how many payments are there. */
async function restoredCount(changes: Partial<RestoreOptions> = {}): Promise<number> {
  const into = changes.into ?? mkdtempSync(join(home, 'restored-'))
  await restore({ backup, to: undefined, stackDir: undefined, onProgress, ...changes, into })
  const restored = await open(join(into, 'postgres'), into)
  const asking = new Client({ connectionString: restored.url('ledger_ke') })
  await asking.connect()
  const found = await count(asking)
  // The restored server takes writes, so its history diverges from that of the first.
  await asking.query('INSERT INTO payments DEFAULT VALUES')
  await asking.end()
  await restored.stop()
  return found
}

async function sessionsIn(of: Postgres): Promise<{ id: string; isOpen: boolean }[]> {
  const asking = new Client({ connectionString: of.url('accounts') })
  await asking.connect()
  const { rows } = await asking.query<{ id: string; isOpen: boolean }>(
    'SELECT session_id AS id, ended_at IS NULL AS "isOpen" FROM sign_in_sessions',
  )
  await asking.end()
  return rows
}

/** Makes an account that is signed in at one browser. */
async function signIn(): Promise<void> {
  const owner = server.url('accounts')
  await createDatabase(server.url('postgres'), 'accounts')
  await migrate('auth', { owner, service: urlOfRole(owner, 'malipo_accounts', password) })
  const signing = new Client({ connectionString: owner })
  await signing.connect()
  await signing.query(
    `INSERT INTO accounts (account_id, request_id, home_country, display_name)
      VALUES ($1, 'one', 'ke', 'Amina')`,
    [accountId],
  )
  await signing.query(
    `INSERT INTO sign_in_sessions (session_id, account_id, token_digest, expires_at, address, user_agent)
      VALUES ($1, $2, decode(repeat('00', 32), 'hex'), now() + interval '7 days', '127.0.0.1', 'a browser')`,
    [sessionId, accountId],
  )
  await signing.end()
}

/** Copies the folder of all backups, and returns the copy of the backup, which a test may damage. */
function copyBackup(): string {
  const copy = mkdtempSync(join(home, 'copy-'))
  cpSync(join(backup, '..'), copy, { recursive: true })
  return join(copy, backup.split('/').at(-1) ?? '')
}

async function refusal(changes: Partial<RestoreOptions>): Promise<string> {
  const into = changes.into ?? join(home, 'refused')
  const answer = await restore({
    ...{ backup, into, to: undefined, stackDir: undefined, onProgress },
    ...changes,
  }).then(() => 'restored', String)
  expect([into, existsSync(join(into, 'postgres'))]).toEqual([into, false])
  return answer
}

beforeAll(async () => {
  mkdirSync(dir)
  writeSecrets(dir, secrets)
  for (const country of ['ke', 'ug'] as const) {
    writePrivateFile(copyMarkFileOf(dir, country), '{}')
  }
  server = await open(join(dir, 'postgres'), dir)
  await createDatabase(server.url('postgres'), 'ledger_ke')
  client = new Client({ connectionString: server.url('ledger_ke') })
  await client.connect()
  await client.query('CREATE TABLE payments (id SERIAL, filler TEXT DEFAULT repeat($$x$$, 2000))')
  await signIn()
  const paidMeanwhile = new AbortController()
  const paying = (async () => {
    while (!paidMeanwhile.signal.aborted) await pay()
  })()
  backup = await takeBackup({ dir, databaseUrl: server.url('ledger_ke'), onProgress })
  paidMeanwhile.abort()
  await paying
  committed.atMoment = await count(client)
  // A restore takes whole milliseconds, so the moment is rounded up: after all commits so far and before the next one.
  moment = new Date((await clock()).getTime() + 1)
  await eventually('it is past', async () => (await clock()) > moment)
  for (let turn = 0; turn < 50; turn += 1) await pay()
  committed.inAll = await count(client)
  await archiveAll()
})

afterAll(async () => {
  await client.end()
  await server.stop()
  rmSync(home, { recursive: true, force: true })
})

test('a backup taken while payments go on is whole by its manifest, and has no secret in it', async () => {
  expect(await problemsOf(dataOf(backup))).toEqual([])
  expect(committed.atMoment).toBeGreaterThan(10)
  const names = readdirSync(join(dir, 'backups'), { recursive: true }).map(String)
  expect(names.filter((name) => /secrets|postmaster|partial/.test(name))).toEqual([])
  expect(readFileSync(join(backup, 'about.json'), 'utf8')).not.toContain(password)
})

test('row 97: a restore has every payment that was archived, and accepts the older copy for both countries', async () => {
  const into = join(home, 'whole')
  expect(await restoredCount({ into })).toBe(committed.inAll)
  expect(readdirSync(into).sort()).toEqual(['marks', 'postgres', 'secrets.json'])
  expect(readdirSync(join(into, 'marks')).sort()).toEqual([
    'ledger-ke.json',
    'ledger-ke.json.accepted',
    'ledger-ug.json',
    'ledger-ug.json.accepted',
  ])
})

test('a restore ends every sign-in session, because some may have been ended since the backup', async () => {
  const into = join(home, 'sessions')
  await restore({ backup, into, to: undefined, stackDir: undefined, onProgress })
  const restored = await open(join(into, 'postgres'), into)
  const found = await sessionsIn(restored)
  await restored.stop()
  expect([await sessionsIn(server), found]).toEqual([
    [{ id: sessionId, isOpen: true }],
    [{ id: sessionId, isOpen: false }],
  ])
})

test('a restored server archives nothing before its first backup', async () => {
  const into = join(home, 'no-archive')
  await restore({ backup, into, to: undefined, stackDir: undefined, onProgress })
  const settings = readFileSync(join(into, 'postgres/postgresql.auto.conf'), 'utf8')
  expect(settings).not.toContain('archive_timeout')
})

test('a restore to a moment has what was committed by then and nothing after it', async () => {
  expect(await restoredCount({ to: moment })).toBe(committed.atMoment)
})

describe('a restore is refused with what to do, and writes nothing', () => {
  it('into a folder that is not empty', async () => {
    const into = mkdtempSync(join(home, 'taken-'))
    writeFileSync(join(into, 'note'), '')
    expect(await refusal({ into })).toContain('is not empty: restore into a new folder')
    expect(readdirSync(into)).toEqual(['note'])
  })

  it('of a time before the end of the backup', async () => {
    const { startedAt, completedAt } = readAbout(backup)
    const message = await refusal({ to: new Date(startedAt) })
    expect(message).toContain(`can be restored from ${completedAt} on`)
  })

  it('of a time that the archive does not reach', async () => {
    const to = new Date()
    expect(await refusal({ to })).toContain(
      `The archive does not reach ${to.toISOString()}: its last transaction was at`,
    )
    const later = new Date(Date.now() + 60_000)
    expect(await refusal({ to: later })).toContain('has not been yet')
  })

  it.each([
    [
      'a file with a changed byte',
      (of: string) => {
        appendFileSync(join(dataOf(of), 'global/pg_control'), '.')
      },
      'global/pg_control has another size',
    ],
    [
      'a file missing',
      (of: string) => {
        rmSync(join(dataOf(of), 'backup_label'))
      },
      'backup_label is missing',
    ],
    [
      'a file too many',
      (of: string) => {
        writeFileSync(join(dataOf(of), 'base/extra'), '')
      },
      'base/extra is not of it',
    ],
    [
      'another manifest',
      (of: string) => {
        const file = join(dataOf(of), 'backup_manifest')
        writeFileSync(file, readFileSync(file, 'utf8').replace('"Size":', '"Size": '))
      },
      'backup_manifest was changed',
    ],
    [
      'its own log missing',
      (of: string) => {
        rmSync(join(archiveOf(of), `${readAbout(of).lastSegment}.gz`))
      },
      'the archived log does not reach',
    ],
    [
      'no end',
      (of: string) => {
        rmSync(join(of, 'about.json'))
      },
      'is no whole backup',
    ],
  ])('of a backup with %s', async (_, damage, message) => {
    const damaged = copyBackup()
    damage(damaged)
    expect(await refusal({ backup: damaged })).toContain(message)
  })

  it('over a gap of the archive, unless it ends before the gap', async () => {
    const gap = copyBackup()
    const { lastSegment } = readAbout(gap)
    const segments = readdirSync(archiveOf(gap)).filter((name) => /^[0-9A-F]{24}[.]gz$/.test(name))
    const last = segments.sort().at(-1) ?? ''
    expect(last.slice(0, 24) > lastSegment).toBe(true)
    renameSync(join(archiveOf(gap), last), join(archiveOf(gap), last.replace(/..[.]gz$/, 'F0.gz')))
    expect(await refusal({ backup: gap })).toContain(`The archive has a gap after`)
  })

  it('without the secrets and marks that no backup has', async () => {
    const message = await refusal({ stackDir: home })
    expect(message).toContain('name the folder that has secrets.json and marks with --stack')
  })
})
