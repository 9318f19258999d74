import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, gunzipSync } from 'node:zlib'
import { repositoryDir } from '../migrate'

/** The folder of a stack's backups. It has a folder for each database system, because `--fresh` makes a new system. */
export function backupsOf(stackDir: string): string {
  return join(stackDir, 'backups')
}

/** Once there are backups, a segment is archived after this time even if it is not full, in case the disk is lost. */
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

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0')

/** Returns the next place. A place is the name of a segment (16 MB of the log) without its timeline. */
function placeAfter(place: string): string {
  const [file, segment] = [
    Number.parseInt(place.slice(0, 8), 16),
    Number.parseInt(place.slice(8), 16),
  ]
  const isLast = segment === segmentsPerFile - 1
  return hex(isLast ? file + 1 : file) + hex(isLast ? 0 : segment + 1)
}

interface Timeline {
  /** The first 8 hex digits in the name of each segment. */
  readonly id: string
  /** The place of its first segment. */
  readonly from: string
}

/** The timelines that a replay follows from `first` to the newest. Each promotion of a standby begins a timeline. */
function timelinesFrom(archive: string, first: string): Timeline[] {
  const historyOf = (id: string) => join(archive, `${id}.history.gz`)
  const after = (id: string) => hex(Number.parseInt(id, 16) + 1)
  let newest = first
  while (existsSync(historyOf(after(newest)))) newest = after(newest)
  if (newest === first) return [{ id: first, from: '' }]
  const history = gunzipSync(readFileSync(historyOf(newest))).toString()
  // The file has a line for each earlier timeline: its number, and where in the log the next one began.
  const ended = [...history.matchAll(/^(\d+)\t([0-9A-F]+)\/([0-9A-F]+)/gm)].map(
    ([, number = '', high = '', low = '']) => ({
      id: hex(Number.parseInt(number, 10)),
      place: high.padStart(8, '0') + low.padStart(8, '0').slice(0, 2).padStart(8, '0'),
    }),
  )
  const all = [...ended.map(({ id }) => id), newest].map((id, index) => ({
    id,
    from: ended[index - 1]?.place ?? '',
  }))
  return all.slice(all.findIndex(({ id }) => id === first))
}

/** The archived log from one segment to the newest, over promotions. */
export interface ArchivedLog {
  /** The readable segments from the one asked for on, up to the first gap or damaged segment. */
  readonly segments: readonly string[]
  /**
   * Segments that cannot be replayed: behind a gap or a damaged one, or of a server that ran on beside the promoted
   * one.
   */
  readonly unreachable: readonly string[]
}

/** Reads the archived segments from one on, every byte of them. */
export async function readArchive(archive: string, first: string): Promise<ArchivedLog> {
  const timelines = timelinesFrom(archive, first.slice(0, 8))
  const nameAt = (place: string) =>
    `${timelines.findLast(({ from }) => from <= place)?.id ?? ''}${place}`
  const segments: string[] = []
  let place = first.slice(8)
  while (await isWhole(join(archive, `${nameAt(place)}.gz`))) {
    segments.push(nameAt(place))
    place = placeAfter(place)
  }
  // Both timelines may have archived the segment in which a promotion happened: the newer timeline's copy is read.
  const isReadFromNewer = (name: string) =>
    name !== nameAt(name.slice(8)) && timelines.some(({ from }) => from === name.slice(8))
  const unreachable = readdirSync(archive)
    .filter((file) => /^[0-9A-F]{24}[.]gz$/.test(file))
    .map((file) => file.slice(0, 24))
    .filter((name) => name > first && !segments.includes(name) && !isReadFromNewer(name))
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
