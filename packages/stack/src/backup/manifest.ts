import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'

export interface ManifestFile {
  /** Relative to the data folder. */
  readonly path: string
  readonly size: number
  readonly sha256: string
  readonly modifiedAt: Date
}

export interface WalRange {
  readonly timeline: number
  readonly startLsn: string
  readonly endLsn: string
}

const manifestName = 'backup_manifest'
/**
 * Files that a restore makes or fills. They may differ from the manifest, and pg_verifybackup passes over them as well.
 */
const passedOver = [manifestName, 'postgresql.auto.conf', 'recovery.signal', 'standby.signal']

const shape = z.object({
  Files: z.array(
    z.object({
      Path: z.string(),
      Size: z.number().int(),
      Checksum: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
  'Manifest-Checksum': z.string(),
})

/**
 * Writes what every file has to be, as PostgreSQL's own manifest of a base backup, so that `pg_verifybackup` reads it
 * too. It has version 1, which pg_verifybackup of every release knows.
 */
export function writeManifest(
  dataDir: string,
  files: readonly ManifestFile[],
  wal: WalRange,
): void {
  const lines = files.map(({ path, size, sha256, modifiedAt }) =>
    JSON.stringify({
      Path: path,
      Size: size,
      'Last-Modified': `${modifiedAt.toISOString().slice(0, 19).replace('T', ' ')} GMT`,
      'Checksum-Algorithm': 'SHA256',
      Checksum: sha256,
    }),
  )
  const range = { Timeline: wal.timeline, 'Start-LSN': wal.startLsn, 'End-LSN': wal.endLsn }
  const text = [
    '{ "PostgreSQL-Backup-Manifest-Version": 1,',
    '"Files": [',
    lines.join(',\n'),
    '],',
    '"WAL-Ranges": [',
    JSON.stringify(range),
    '],\n',
  ].join('\n')
  const checksum = createHash('sha256').update(text).digest('hex')
  writeFileSync(join(dataDir, manifestName), `${text}"Manifest-Checksum": "${checksum}"}\n`, {
    mode: 0o600,
    flush: true,
  })
}

/** Says in words where a base backup differs from its manifest; empty where it does not. */
export async function problemsOf(dataDir: string): Promise<string[]> {
  const manifest = readManifest(dataDir)
  if (typeof manifest === 'string') return [manifest]
  const expected = new Map(manifest.Files.map((file) => [file.Path, file]))
  const found = filesBelow(dataDir).filter((path) => !passedOver.includes(path))
  const problems = found.filter((path) => !expected.has(path)).map((path) => `${path} is not of it`)
  const present = new Set(found)
  for (const [path, { Size: size, Checksum: checksum }] of expected) {
    if (path === 'postgresql.auto.conf') continue
    if (!present.has(path)) problems.push(`${path} is missing`)
    else if (statSync(join(dataDir, path)).size !== size) problems.push(`${path} has another size`)
    else if ((await digestOf(join(dataDir, path))) !== checksum) {
      problems.push(`${path} has another content`)
    }
  }
  return problems
}

function readManifest(dataDir: string): z.output<typeof shape> | string {
  let text: string
  try {
    text = readFileSync(join(dataDir, manifestName), 'utf8')
  } catch {
    return `${manifestName} is missing`
  }
  const end = text.lastIndexOf('"Manifest-Checksum"')
  const read = shape.safeParse(parse(text))
  const checksum = createHash('sha256').update(text.slice(0, end)).digest('hex')
  const isSound = read.success && read.data['Manifest-Checksum'] === checksum
  return isSound ? read.data : `${manifestName} was changed`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

export function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)))
    .sort()
}
