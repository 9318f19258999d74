import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, mkdirSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { writePrivateFile } from '../private-file'

/** The first line of a month's file, in JSON. Each further line is a row. */
const header = z.object({
  malipo: z.literal('detached'),
  version: z.literal(1),
  country: z.string(),
  month: z.string(),
  until: z.string(),
  /** The digest of the file of the month detached before; null in the first. */
  previous: z.string().nullable(),
})
export type FileHeader = z.output<typeof header>

/** What a file has to be, as the database and the manifest beside the file say. */
export interface FileDigest {
  /** The digest of the file as it is on the disk. */
  readonly sha256: string
  readonly steps: number
  readonly bodies: number
}

export function detachedFile(dir: string, country: string, month: string): string {
  return join(dir, `${country}-${month}.jsonl.gz`)
}

export const detachedName = /^(ke|ug)-(\d{4}-\d\d)\.jsonl\.gz$/

/**
 * Writes a file, whole and on the disk or not at all, and its manifest. Returns its digest and counts, as read again.
 */
export async function writeDetachedFile(
  file: string,
  about: FileHeader,
  lines: AsyncIterable<string>,
): Promise<FileDigest> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const partial = `${file}.partial`
  const target = createWriteStream(partial, { mode: 0o600, flush: true })
  await pipeline(textOf(about, lines), createGzip({ level: 9 }), target)
  await keepUnrecorded(file)
  await rename(partial, file)
  await flushFolder(dirname(file))
  const digest = await readDigest(file)
  const manifest = { ...about, file: basename(file), ...digest }
  writePrivateFile(
    file.replace(/\.jsonl\.gz$/, '.json'),
    `${JSON.stringify(manifest, undefined, 2)}\n`,
  )
  return digest
}

async function* textOf(about: FileHeader, lines: AsyncIterable<string>): AsyncGenerator<string> {
  yield `${JSON.stringify(about)}\n`
  for await (const line of lines) yield `${line}\n`
}

/** Moves an unrecorded file aside: it is from a run that ended early, or from another copy of the database. */
async function keepUnrecorded(file: string): Promise<void> {
  if (!existsSync(file)) return
  await rename(file, `${file}.unrecorded-${(await sha256Of(file)).slice(0, 12)}`)
}

/** Syncs a folder, so that a renamed file in it survives a power cut. */
async function flushFolder(dir: string): Promise<void> {
  const folder = await open(dir, 'r')
  await folder.sync()
  await folder.close()
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

async function readDigest(file: string): Promise<FileDigest> {
  const counts = { step: 0, body: 0 }
  for await (const { kind } of rowsOf(file)) counts[kind] += 1
  return { sha256: await sha256Of(file), steps: counts.step, bodies: counts.body }
}

export async function readHeader(file: string): Promise<FileHeader> {
  for await (const line of linesOf(file)) return header.parse(JSON.parse(line))
  throw new Error(`${file} is empty`)
}

/** A row of a table as PostgreSQL writes it as JSON. */
export interface DetachedRow {
  readonly kind: 'step' | 'body'
  readonly json: string
}

const row = /^\{"(step|body)": (\{.*\})\}$/

/** The rows of a file in their order. Throws at a line that is not a row. */
export async function* rowsOf(file: string): AsyncGenerator<DetachedRow> {
  let isHeader = true
  for await (const line of linesOf(file)) {
    if (isHeader) {
      isHeader = false
      continue
    }
    const [, kind, json] = row.exec(line) ?? []
    if (json === undefined) throw new Error(`${file} has a line that is no row`)
    yield { kind: kind === 'step' ? 'step' : 'body', json }
  }
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createReadStream(file)
  const text = createGunzip()
  const ended = pipeline(input, text)
  // The `await` below throws the error. Until the lines are read it would count as unhandled.
  ended.catch(() => undefined)
  yield* createInterface({ input: text, crlfDelay: Infinity })
  await ended
}
