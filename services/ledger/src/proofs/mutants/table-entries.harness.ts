import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const sourceDir = join(__dirname, '../..')

/** Makes a mutant for each entry of each decision table in a `rules/` folder, with another value of the same table. */
export function entryMutants(): readonly Mutant[] {
  const files = readdirSync(sourceDir, { recursive: true, encoding: 'utf8' })
  return files
    .filter((name) => /^[^/]+\/rules\/[^.]+\.ts$/.test(name))
    .sort()
    .flatMap((name) => mutantsOf(join(sourceDir, name)))
}

/** How a table is written: `const NAME = { … } as const satisfies …`. */
const table = /^(?:export )?const (\w+) = \{\n([^]*?)^\} as const satisfies/gm

function mutantsOf(file: string): readonly Mutant[] {
  const text = readFileSync(file, 'utf8')
  return Array.from(text.matchAll(table)).flatMap(
    ({ 0: whole, 1: name = '', 2: body = '', index }) => {
      const entries = entriesOf(body, { name, start: index + whole.indexOf(body) })
      const values = Array.from(new Set(entries.map(({ value }) => value)))
      return values.length < 2 ? [] : entries.map((entry) => mutantOf(entry, file, values))
    },
  )
}

interface Entry {
  readonly path: string
  readonly value: string
  readonly start: number
}

const part = /\/\/.*|\/\*[^]*?\*\/|(\w+): (?:\{|('[^']*'|\w+))|\}/g

function entriesOf(
  body: string,
  { name, start }: { name: string; start: number },
): readonly Entry[] {
  const path = [name]
  return Array.from(body.matchAll(part)).flatMap(({ 0: whole, 1: key, 2: value, index }) => {
    if (key === undefined) {
      if (whole === '}') path.pop()
      return []
    }
    if (value === undefined) {
      path.push(key)
      return []
    }
    const place = start + index + whole.length - value.length
    return [{ path: [...path, key].join('.'), value, start: place }]
  })
}

function mutantOf({ path, value, start }: Entry, file: string, values: readonly string[]): Mutant {
  const to = values[(values.indexOf(value) + 1) % values.length] ?? ''
  return {
    name: `${path} is ${to}, and not ${value}`,
    ...{ file, start, end: start + value.length, to },
    // The table's own test is the quickest; some entries are covered only by tests of the rules that read them.
    checks: [
      file.replace(/\.ts$/, '.test.ts'),
      `${sourceDir}/[^/]+/rules/`,
      join(sourceDir, 'proofs/model/'),
    ],
  }
}

/** A bug that is planted in the text of a file, and the tests that have to find it. */
export interface Mutant {
  /** What it breaks, as a sentence. */
  readonly name: string
  readonly file: string
  /** Where the replaced text begins, and where it ends. */
  readonly start: number
  readonly end: number
  readonly to: string
  /** Test files, or folders of them, tried one after the other until one fails. */
  readonly checks: readonly string[]
}

/** A bug that is planted in a file of a `store/` folder: `from`, which is there once, is replaced by `to`. */
export interface Guard {
  /** What it breaks, as a sentence. */
  readonly breaks: string
  /** A path below `src/`. */
  readonly file: string
  readonly from: string
  readonly to: string
  /** Paths of tests below `src/`. */
  readonly checks: readonly string[]
}
