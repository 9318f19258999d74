import { parseArgs } from 'node:util'

/** The options and the help text of a program for a terminal: a long proof or a benchmark. */
export interface Command<Name extends string, Text extends string = never> {
  /** What `--help` prints. */
  readonly help: string
  /** Options that are whole numbers from 1 up, with their defaults. */
  readonly numbers: Readonly<Record<Name, number>>
  /** Options that are text; absent unless given. */
  readonly texts?: readonly Text[]
}

export type CommandOptions<Name extends string, Text extends string> = Readonly<
  Record<Name, number>
> &
  Readonly<Partial<Record<Text, string>>> & { readonly positionals: readonly string[] }

/** The parsed options, or undefined for `--help`, which has been printed then. */
export function readCommand<Name extends string, Text extends string = never>(
  args: readonly string[],
  { help, numbers, texts = [] }: Command<Name, Text>,
): CommandOptions<Name, Text> | undefined {
  const names = [...Object.keys(numbers), ...texts]
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean' },
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' } as const])),
    },
  })
  if (values.help === true) {
    process.stdout.write(help)
    return undefined
  }
  const given = Object.entries(values).map(([name, value]) => [
    name,
    Object.hasOwn(numbers, name) ? wholeNumber(name, String(value)) : value,
  ])
  return { ...numbers, ...Object.fromEntries(given), positionals } as CommandOptions<Name, Text>
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Error(`--${name} is a whole number from 1 up`)
  return Number(text)
}

/** Reports progress on standard error: one changing line on a terminal, and a line now and then in a log. */
export function openProgress(what: string, all: number): (done: number) => void {
  const isWatched = process.stderr.isTTY
  const everyMs = isWatched ? 500 : 15_000
  let beganAt: number | undefined
  let reportedAt = 0
  return (done) => {
    const now = performance.now()
    beganAt ??= now
    if (now - reportedAt < everyMs && done < all) return
    reportedAt = now
    const pace = Math.round((done * 1_000) / Math.max(now - beganAt, 1)).toLocaleString('en')
    const line = `${done.toLocaleString('en')} of ${all.toLocaleString('en')} ${what}, ${pace} a second`
    process.stderr.write(`${line}${isWatched && done < all ? '\r' : '\n'}`)
  }
}
