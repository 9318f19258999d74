import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { writePrivateFile } from '../private-file'
import { type AboutBackup, aboutFileOf, archiveOf, dataOf } from './about'
import { archiveTimeoutSeconds, type ArchivedLog, backupsOf, readArchive } from './archive'
import { copyRunning, one } from './copy-running'
import { problemsOf, writeManifest } from './manifest'
import { prune } from './prune'

export interface TakeBackupOptions {
  /** The folder of the stack. */
  readonly dir: string
  /** The URL of one of its databases, as the owner. */
  readonly databaseUrl: string
  readonly onProgress: (line: string) => void
}

/**
 * Copies the data folder of a running stack while payments go on, and has the server archive its log from then on.
 * Returns the folder of the backup, once all of it was read again and is as its manifest says.
 */
export async function takeBackup(options: TakeBackupOptions): Promise<string> {
  const client = new Client({ connectionString: options.databaseUrl })
  await client.connect()
  try {
    const server = await readServer(client, options.dir)
    const home = join(backupsOf(options.dir), server.system)
    mkdirSync(join(home, 'wal'), { recursive: true, mode: 0o700 })
    removePartial(home)
    const startedAt = new Date()
    const backup = join(home, startedAt.toISOString().replaceAll(':', '-'))
    const partial = `${backup}.partial`
    // Made before the copy begins: archive-wal.sh counts from this segment on, so the log of the copy has room.
    mkdirSync(dataOf(partial), { recursive: true, mode: 0o700 })
    writePrivateFile(join(partial, 'first-segment'), `${await currentSegment(client)}\n`)
    await startArchiving(client)
    await fill(partial, client, { server, startedAt, options }).catch((error: unknown) => {
      removePartial(home)
      throw error
    })
    renameSync(partial, backup)
    prune(home, backup)
    return backup
  } finally {
    // The server forgets a backup that was not ended when its connection closes.
    await client.end()
  }
}

interface Begun {
  readonly server: Server
  readonly startedAt: Date
  readonly options: TakeBackupOptions
}

async function fill(
  partial: string,
  client: Client,
  { server, startedAt, options: { dir, onProgress } }: Begun,
): Promise<void> {
  onProgress(`Copying ${server.dataDir} …`)
  const copy = await copyRunning(client, {
    from: server.dataDir,
    to: dataOf(partial),
    waitsForArchive: true,
  })
  const timeline = Number.parseInt(copy.firstSegment.slice(0, 8), 16)
  writeManifest(dataOf(partial), copy.files, {
    timeline,
    startLsn: copy.startLsn,
    endLsn: copy.endLsn,
  })
  const about: AboutBackup = {
    stackDir: dir,
    system: server.system,
    postgres: server.version,
    startedAt: startedAt.toISOString(),
    completedAt: copy.completedAt,
    firstSegment: copy.firstSegment,
    lastSegment: copy.lastSegment,
  }
  onProgress('Reading it again …')
  await verify(partial, archiveOf(partial), about)
  writePrivateFile(aboutFileOf(partial), `${JSON.stringify(about, undefined, 2)}\n`)
}

/** Throws, with all problems, if the copy differs from its manifest or the archive lacks log that the copy needs. */
export async function verify(
  backup: string,
  archive: string,
  about: AboutBackup,
): Promise<ArchivedLog> {
  const problems = await problemsOf(dataOf(backup))
  const log = await readArchive(archive, about.firstSegment)
  // The timeline is left out: if a promotion happened in the last segment, that segment is read from the next timeline.
  const last = about.lastSegment.slice(8)
  if (!log.segments.some((name) => name.slice(8) === last)) {
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

async function currentSegment(client: Client): Promise<string> {
  const row = await one(client, 'SELECT pg_walfile_name(pg_current_wal_lsn()) AS segment')
  return row['segment'] ?? ''
}

/** Makes the server archive a segment after `archiveTimeoutSeconds` even if it is not full. */
export async function startArchiving(client: Client): Promise<void> {
  await client.query(`ALTER SYSTEM SET archive_timeout = '${String(archiveTimeoutSeconds)}s'`)
  await client.query('SELECT pg_reload_conf()')
}

/** Removes unfinished backups: each may be as large as a whole one. */
function removePartial(home: string): void {
  for (const name of readdirSync(home)) {
    if (name.endsWith('.partial')) rmSync(join(home, name), { recursive: true })
  }
}
