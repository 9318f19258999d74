import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import { writePrivateFile } from '../private-file'
import { type AboutBackup, aboutFileOf, dataOf, readAbout } from './about'
import { archiveTimeoutSeconds, type ArchivedLog, backupsOf, readArchive } from './archive'
import { filesBelow, type ManifestFile, problemsOf, writeManifest } from './manifest'

export interface TakeBackupOptions {
  /** The folder of the stack. */
  readonly dir: string
  /** A database of it, as its owner. */
  readonly databaseUrl: string
  readonly say: (line: string) => void
}

/** The newest backups that are kept, with the log since the older of them began. */
const keptBackups = 2
/** Until the server has archived the end of its log. */
const archiveDeadlineMs = 60_000

/** Emptied or made anew by a start: only the folders are kept. */
const emptied = [
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]
const leftOut =
  /^(postmaster[.](pid|opts)|.*pg_internal[.]init.*|.*pgsql_tmp.*|current_logfiles.*|backup_label|backup_manifest)$/
const control = 'global/pg_control'

/**
 * Copies the data folder of a running stack while payments go on, and has the server archive its log from then on. Answers
 * the folder of the backup, once all of it was read again and is as its manifest says.
 */
export async function takeBackup({ dir, databaseUrl, say }: TakeBackupOptions): Promise<string> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const server = await readServer(client, dir)
    const startedAt = new Date()
    const name = startedAt.toISOString().replaceAll(':', '-')
    const home = join(backupsOf(dir), server.system)
    const backup = join(home, name)
    const partial = `${backup}.partial`
    for (const folder of [join(home, 'wal'), dataOf(partial)]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
    }
    await startArchiving(client)
    say(`Copying ${server.dataDir} …`)
    const begun = await one(
      client,
      `SELECT lsn::text, pg_walfile_name(lsn) AS segment FROM pg_backup_start('malipo', true) AS lsn`,
    )
    const files = await copyAll(server.dataDir, dataOf(partial))
    say('Waiting for the end of its log …')
    await client.query(`SET statement_timeout = ${String(archiveDeadlineMs)}`)
    const ended = await one(
      client,
      `SELECT lsn::text, pg_walfile_name(lsn - 1) AS segment, labelfile AS label,
        to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
      FROM pg_backup_stop(true)`,
    )
    const label = writeLabel(dataOf(partial), ended['label'] ?? '')
    const timeline = Number.parseInt((begun['segment'] ?? '').slice(0, 8), 16)
    const wal = { timeline, startLsn: begun['lsn'] ?? '', endLsn: ended['lsn'] ?? '' }
    writeManifest(dataOf(partial), [...files, label], wal)
    const about: AboutBackup = {
      stackDir: dir,
      system: server.system,
      postgres: server.version,
      startedAt: startedAt.toISOString(),
      completedAt: ended['at'] ?? '',
      firstSegment: begun['segment'] ?? '',
      lastSegment: ended['segment'] ?? '',
    }
    say('Reading it again …')
    await verify(partial, join(home, 'wal'), about)
    writePrivateFile(aboutFileOf(partial), `${JSON.stringify(about, undefined, 2)}\n`)
    renameSync(partial, backup)
    prune(home)
    return backup
  } finally {
    // Ends a backup that was not: the server forgets it with its connection.
    await client.end()
  }
}

/** Fails, with all that is wrong, when a copy is not as its manifest says or the log that makes it whole is not there. */
export async function verify(
  backup: string,
  archive: string,
  about: AboutBackup,
): Promise<ArchivedLog> {
  const problems = await problemsOf(dataOf(backup))
  const log = await readArchive(archive, about.firstSegment)
  if (!log.segments.includes(about.lastSegment)) {
    problems.push(
      `the archived log does not reach from ${about.firstSegment} to ${about.lastSegment}`,
    )
  }
  if (problems.length > 0) {
    throw new Error(`${backup} is damaged: ${problems.slice(0, 5).join('; ')}`)
  }
  return log
}

interface Server {
  readonly dataDir: string
  readonly system: string
  readonly version: string
}

/** The server of the stack, if it is the stack's own and archives its log. */
async function readServer(client: Client, dir: string): Promise<Server> {
  const row = await one(
    client,
    `SELECT current_setting('data_directory') AS data, current_setting('archive_mode') AS archiving,
      current_setting('server_version') AS version, (SELECT system_identifier::text FROM pg_control_system()) AS system`,
  )
  const dataDir = join(dir, 'postgres')
  if (resolve(row['data'] ?? '') !== resolve(dataDir) || !existsSync(dataDir)) {
    throw new Error(
      `The databases of ${dir} are on a server of yours (DATABASE_URL): back that up with its own tools`,
    )
  }
  if (row['archiving'] !== 'on') {
    throw new Error(
      `The server of ${dir} was started by an older Malipo: start the stack again first`,
    )
  }
  return { dataDir, system: row['system'] ?? '', version: row['version'] ?? '' }
}

async function startArchiving(client: Client): Promise<void> {
  await client.query(`ALTER SYSTEM SET archive_timeout = '${String(archiveTimeoutSeconds)}s'`)
  await client.query('SELECT pg_reload_conf()')
}

async function one(client: Client, sql: string): Promise<Readonly<Record<string, string>>> {
  const { rows } = await client.query<Record<string, string>>(sql)
  const [row] = rows
  if (row === undefined) throw new Error(`No answer to ${sql}`)
  return row
}

/** The control file last: all that it speaks of is copied by then. */
async function copyAll(from: string, to: string): Promise<ManifestFile[]> {
  const isKept = (path: string) =>
    !leftOut.test(path) && !emptied.includes(path.split('/')[0] ?? '') && path !== control
  makeFolders(from, to)
  const copied: ManifestFile[] = []
  for (const path of [...filesBelow(from).filter(isKept), control]) {
    const file = await copyOne(from, to, path)
    if (file) copied.push(file)
  }
  return copied
}

function makeFolders(from: string, to: string): void {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(from.length + 1)
    const [top = ''] = path.split('/')
    if (!entry.isDirectory() || leftOut.test(path) || (emptied.includes(top) && path !== top))
      continue
    mkdirSync(join(to, path), { recursive: true, mode: 0o700 })
  }
}

/** Undefined of a file that the server has removed meanwhile: its log says so too. */
async function copyOne(from: string, to: string, path: string): Promise<ManifestFile | undefined> {
  const hash = createHash('sha256')
  let size = 0
  const count = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      size += chunk.length
      done(null, chunk)
    },
  })
  try {
    const target = createWriteStream(join(to, path), { mode: 0o600, flush: true })
    await pipeline(createReadStream(join(from, path)), count, target)
    return { path, size, sha256: hash.digest('hex'), modifiedAt: statSync(join(from, path)).mtime }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    rmSync(join(to, path), { force: true })
    return undefined
  }
}

/** What makes a copy a backup: where in the log its replay has to begin. */
function writeLabel(dataDir: string, label: string): ManifestFile {
  writeFileSync(join(dataDir, 'backup_label'), label, { mode: 0o600, flush: true })
  const sha256 = createHash('sha256').update(label).digest('hex')
  return { path: 'backup_label', size: Buffer.byteLength(label), sha256, modifiedAt: new Date() }
}

/** Removes what was begun and not ended, all but the newest backups, and the log that none of those needs. */
function prune(home: string): void {
  const folders = readdirSync(home).filter((name) => name !== 'wal')
  for (const name of folders) {
    if (name.endsWith('.partial')) rmSync(join(home, name), { recursive: true })
  }
  const whole = folders.filter((name) => existsSync(aboutFileOf(join(home, name)))).sort()
  for (const name of whole.slice(0, -keptBackups)) rmSync(join(home, name), { recursive: true })
  const [oldest] = whole.slice(-keptBackups)
  if (oldest === undefined) return
  const { firstSegment } = readAbout(join(home, oldest))
  for (const file of readdirSync(join(home, 'wal'))) {
    if (/^[0-9A-F]{24}/.test(file) && file.slice(0, 24) < firstSegment) {
      rmSync(join(home, 'wal', file))
    }
  }
}
