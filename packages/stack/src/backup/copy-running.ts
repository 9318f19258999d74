import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { filesBelow, type ManifestFile } from './manifest'

/** Copied as empty folders: the log comes from the archive, slots are the running server's, a start makes the rest. */
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

/** How long `pg_backup_stop` may wait until the end of the log is archived. */
const archiveDeadlineMs = 60_000

export interface RunningCopy {
  readonly files: readonly ManifestFile[]
  readonly startLsn: string
  readonly endLsn: string
  /** The first and the last segment of the log that makes the copy whole. */
  readonly firstSegment: string
  readonly lastSegment: string
  /** When the copy ended, by the server's clock. */
  readonly completedAt: string
}

/** Copies the data folder of a running server. With the log from `startLsn` to `endLsn` the copy is whole. */
export async function copyRunning(
  client: Client,
  { from, to, waitsForArchive }: { from: string; to: string; waitsForArchive: boolean },
): Promise<RunningCopy> {
  const begun = await one(
    client,
    `SELECT lsn::text, pg_walfile_name(lsn) AS segment FROM pg_backup_start('malipo', true) AS lsn`,
  )
  const files = await copyAll(from, to)
  await client.query(`SET statement_timeout = ${String(archiveDeadlineMs)}`)
  const ended = await one(
    client,
    `SELECT lsn::text, pg_walfile_name(lsn - 1) AS segment, labelfile AS label,
      to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
    FROM pg_backup_stop(${String(waitsForArchive)})`,
  )
  const label = writeLabel(to, ended['label'] ?? '')
  return {
    files: [...files, label],
    startLsn: begun['lsn'] ?? '',
    endLsn: ended['lsn'] ?? '',
    firstSegment: begun['segment'] ?? '',
    lastSegment: ended['segment'] ?? '',
    completedAt: ended['at'] ?? '',
  }
}

export async function one(client: Client, sql: string): Promise<Readonly<Record<string, string>>> {
  const { rows } = await client.query<Record<string, string>>(sql)
  const [row] = rows
  if (row === undefined) throw new Error(`No answer to ${sql}`)
  return row
}

/** Copies the control file last, when all that it refers to is copied. */
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

/** Undefined where the server removed the file during the copy: a replay of the log removes it too. */
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

/** Writes the label that makes the copy a backup: it says where in the log the replay has to begin. */
function writeLabel(dataDir: string, label: string): ManifestFile {
  writeFileSync(join(dataDir, 'backup_label'), label, { mode: 0o600, flush: true })
  const sha256 = createHash('sha256').update(label).digest('hex')
  return { path: 'backup_label', size: Buffer.byteLength(label), sha256, modifiedAt: new Date() }
}
