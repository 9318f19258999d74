import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { repositoryDir } from '../migrate'

/** What a stack folder holds of backups: a folder for each database system, as `--fresh` makes another. */
export function backupsOf(stackDir: string): string {
  return join(stackDir, 'backups')
}

/** A segment of the log that is not full is archived after this, once there are backups: what a lost machine can cost. */
export const archiveTimeoutSeconds = 30

/** The settings of a server whose log is archived. `archive_mode` changes only with a start, so it is always on. */
export function archiveSettings(stackDir: string): Readonly<Record<string, string>> {
  const script = join(repositoryDir, 'packages/stack/bin/archive-wal.sh')
  const percentSafe = (path: string) => quoted(path).replaceAll('%', '%%')
  const command = `sh ${percentSafe(script)} "%p" "%f" ${percentSafe(backupsOf(stackDir))}`
  return { archive_mode: 'on', archive_command: command }
}

/** The command with which a restored server fetches a segment. */
export function restoreCommand(archive: string): string {
  return `gzip -dc ${quoted(archive).replaceAll('%', '%%')}/%f.gz > "%p"`
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`
}

const segmentsPerFile = 0x100

/** The segment after this one, of 16 MB. */
function segmentAfter(name: string): string {
  const [file, segment] = [
    Number.parseInt(name.slice(8, 16), 16),
    Number.parseInt(name.slice(16), 16),
  ]
  const isLast = segment === segmentsPerFile - 1
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0')
  return name.slice(0, 8) + hex(isLast ? file + 1 : file) + hex(isLast ? 0 : segment + 1)
}

/** The archived log of one timeline. */
export interface ArchivedLog {
  /** The segments from the first on that can be read, without a gap. */
  readonly segments: readonly string[]
  /** Those that are behind a gap or a damaged one. */
  readonly unreachable: readonly string[]
}

/** Reads the archived segments from one on, every byte of them. */
export async function readArchive(archive: string, first: string): Promise<ArchivedLog> {
  const segments: string[] = []
  let name = first
  while (await isWhole(join(archive, `${name}.gz`))) {
    segments.push(name)
    name = segmentAfter(name)
  }
  const unreachable = readdirSync(archive)
    .filter((file) => /^[0-9A-F]{24}[.]gz$/.test(file))
    .map((file) => file.slice(0, 24))
    .filter((found) => found.slice(0, 8) === first.slice(0, 8) && found >= name)
  return { segments, unreachable: unreachable.sort() }
}

const segmentBytes = 16 * 1_048_576

async function isWhole(file: string): Promise<boolean> {
  if (!existsSync(file)) return false
  let bytes = 0
  const count = new Writable({
    write(chunk: Buffer, _, done) {
      bytes += chunk.length
      done()
    },
  })
  return pipeline(createReadStream(file), createGunzip(), count).then(
    () => bytes === segmentBytes,
    () => false,
  )
}
