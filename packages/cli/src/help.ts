import type { Command } from './command'

const settings = `Settings, from the environment or from ~/.config/malipo/config.json (an object with the same names, chmod 600):
  MALIPO_KEY             secret key: mkp_test_… or mkp_live_…; never an argument
  MALIPO_URL             payments host of your country
  MALIPO_SIMULATOR_URL   phones of a test stack, for trigger and open phones
  MALIPO_WEBHOOK_SECRET  whsec_…; listen then says whether each signature is right`

const ends = `Exit codes:
  0  done                              3  no answer came
  1  refused, or something is wrong    4  still open when the time was over
  2  wrong argument or setting         5  the checkout has expired
  6  of wait: completed and paid back  130  ended by Ctrl-C, but listen: 0

Standard output is JSON with --json, and wherever it is no terminal. NO_COLOR switches colours off.`

/** What `malipo --help` prints; for `malipo checkouts --help` only the commands that begin with `checkouts`. */
export function overview(commands: readonly Command[]): string {
  const rows = commands.map((command) => [usage(command), command.summary] as const)
  const width = Math.max(...rows.map(([left]) => left.length))
  const lines = rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
  return ['Usage: malipo COMMAND', '', ...lines, '', settings, '', ends].join('\n')
}

/** What `malipo COMMAND --help` prints. */
export function commandHelp(command: Command): string {
  const { options = {}, about, summary } = command
  const named = Object.entries(options).map(
    ([name, { value, about: text }]) => [`--${name} ${value}`, text] as const,
  )
  const rows = [
    ...named,
    ['--json', 'one line of JSON, as wherever standard output is no terminal'] as const,
  ]
  const width = Math.max(...rows.map(([left]) => left.length))
  const lines = rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
  const more = Object.keys(options).length > 0 ? ' [OPTIONS]' : ''
  const head = `Usage: malipo ${usage(command)}${more}`
  return [
    `${head}\n\n${summary}.\n${about}`,
    `Options:\n${lines.join('\n')}`,
    `malipo --help lists settings and exit codes.`,
  ].join('\n\n')
}

/** `checkouts create --amount MINOR`. */
function usage({ words, argument, options = {} }: Command): string {
  const needed = Object.entries(options)
    .filter(([, { isRequired }]) => isRequired)
    .map(([name, { value }]) => `--${name} ${value}`)
  const shown = argument && (argument.oneOf?.join('|') ?? argument.name)
  return [...words, ...(shown === undefined ? [] : [shown]), ...needed].join(' ')
}
