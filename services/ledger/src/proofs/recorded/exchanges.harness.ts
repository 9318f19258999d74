import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(__dirname, '../../../fixtures/exchanges')
const digestsFile = join(__dirname, 'frozen.json')

const fileOf = (scenario: string) => join(folder, `${scenario}.json`)

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

export function readExchanges(scenario: string): readonly unknown[] {
  return readJson(fileOf(scenario)) as readonly unknown[]
}

/** Replaces every recording and its digest. */
export function writeExchanges(recordings: Readonly<Record<string, readonly unknown[]>>): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [scenario, exchanges] of Object.entries(recordings)) {
    writeFileSync(fileOf(scenario), `${JSON.stringify(exchanges, undefined, 2)}\n`)
  }
  writeFileSync(digestsFile, `${JSON.stringify(digestsOfRecordings(), undefined, 2)}\n`)
}

export function digestsOfRecordings(): Readonly<Record<string, string>> {
  const digestOf = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex')
  const files = readdirSync(folder).sort()
  return Object.fromEntries(files.map((file) => [file, digestOf(file)]))
}

/** The digests of `frozen.json`. */
export function frozenDigests(): unknown {
  return readJson(digestsFile)
}

/**
 * Returns an answer without the fields that its recording lacks. A recording names every field of a message, absent
 * ones as null, so a field that it lacks was added to the contract later.
 */
export function withoutAddedFields(answered: unknown, recorded: unknown): unknown {
  if (isList(answered)) {
    const of = isList(recorded) ? recorded : []
    return answered.map((item, at) => withoutAddedFields(item, of[at]))
  }
  if (!isObject(answered) || !isObject(recorded)) return answered
  const known = Object.entries(answered).filter(([key]) => Object.hasOwn(recorded, key))
  const fields = known.map(([key, item]) => [key, withoutAddedFields(item, recorded[key])])
  return Object.fromEntries(fields)
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !isList(value)

/** The methods that each caller may call only since the recording. */
type Admitted = Readonly<Record<string, readonly string[]>>

interface Note {
  readonly note: string
  readonly seen: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** The recording without the refusals of what a caller may call by now. */
export function withoutAdmitted(recorded: readonly unknown[], admitted: Admitted): unknown[] {
  return recorded.map((entry) => {
    if (!isRefusals(entry)) return entry
    const seen = Object.entries(entry.seen).map(([caller, codes]) => {
      const kept = Object.entries(codes).filter(
        ([method]) => admitted[caller]?.includes(method) !== true,
      )
      return [caller, Object.fromEntries(kept)]
    })
    return { ...entry, seen: Object.fromEntries(seen) as Note['seen'] }
  })
}

const isRefusals = (entry: unknown): entry is Note =>
  isObject(entry) && entry['note'] === 'grpc status of what a caller may not call'

/** The answer without the daily reports of a provider that the country did not have when the answer was recorded. */
export function withoutReportsOf(provider: string, answered: unknown): unknown {
  const without = (value: unknown) => withoutReportsOf(provider, value)
  if (isList(answered)) return answered.filter((item) => !isReportOf(provider, item)).map(without)
  if (!isObject(answered)) return answered
  return Object.fromEntries(Object.entries(answered).map(([key, value]) => [key, without(value)]))
}

const isReportOf = (provider: string, value: unknown): boolean =>
  isObject(value) && value['provider'] === provider && 'journalReceipts' in value
