import { parseArgs } from 'node:util'
import type { Command, Given } from './command'
import { CommandError } from './exit-codes'

type Values = Readonly<Record<string, string | boolean | undefined>>

export interface Parsed {
  readonly command: Command
  readonly given: Given
  readonly wantsJson: boolean
  readonly wantsHelp: boolean
}

/**
 * Refuses a secret, which is a key or the secret of a webhook, among the arguments before anything else: other users
 * see them, and the shell keeps them.
 */
export function refuseKeys(argv: readonly string[]): void {
  if (!argv.some((text) => /mkp_(test|live)_|whsec_/.test(text))) return
  throw new CommandError(
    'A secret was given as an argument, which other users of this machine can read and the shell remembers. Put it into the environment (MALIPO_KEY), and replace it in the hub.',
  )
}

export function findCommand(
  commands: readonly Command[],
  argv: readonly string[],
): Command | undefined {
  return commands.find(({ words }) => words.every((word, at) => argv[at] === word))
}

/** Throws CommandError for an argument or option that is unknown, missing or not one of the allowed words. */
export function parseArguments(command: Command, argv: readonly string[]): Parsed {
  const { values, positionals } = parse(command, argv.slice(command.words.length))
  const { json, help, ...texts }: Values = values
  const parsed = { command, wantsJson: json === true, wantsHelp: help === true }
  if (parsed.wantsHelp) return { ...parsed, given: {} }
  for (const problem of problemsOf(command, texts, positionals)) throw misuse(command, problem)
  const [first] = positionals
  const { argument } = command
  return { ...parsed, given: { ...texts, ...(argument && { [argument.name]: first }) } as Given }
}

function problemsOf(
  { argument, options = {} }: Command,
  texts: Values,
  positionals: readonly string[],
): readonly string[] {
  const [first, ...others] = positionals
  const surplus = argument === undefined ? first : others[0]
  const isGood = argument === undefined || (argument.oneOf ?? [first]).includes(first ?? '')
  return [
    ...(surplus === undefined ? [] : [`"${surplus}" is one argument too many`]),
    ...(isGood ? [] : [`${argument.name} must be ${argument.oneOf?.join(' or ') ?? 'given'}`]),
    ...Object.entries(options)
      .filter(([name, { isRequired }]) => isRequired && texts[name] === undefined)
      .map(([name, { value }]) => `--${name} ${value} is missing`),
  ]
}

function parse(command: Command, args: readonly string[]) {
  const texts = Object.keys(command.options ?? {}).map(
    (name) => [name, { type: 'string' }] as const,
  )
  try {
    return parseArgs({
      args: [...args],
      options: {
        ...Object.fromEntries(texts),
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    })
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split('. ')
    throw misuse(command, sentence.replaceAll("'", '"'))
  }
}

function misuse({ words }: Command, what: string): CommandError {
  return new CommandError(`${what}. See: malipo ${words.join(' ')} --help`)
}
