import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MalipoConnectionError, MalipoError } from '@malipo/sdk'
import { openBrowser } from './open-browser'
import type { Command } from './command'
import { commands } from './commands'
import { CommandError, type ExitCode, exitCodes } from './exit-codes'
import { commandHelp, overview } from './help'
import { maskSecrets } from './mask-secrets'
import { openOutput, type Stream } from './output'
import { findCommand, parseArguments, refuseKeys } from './parse-arguments'
import { readSettings, type Surroundings } from './read-settings'
import { whyUnanswered } from './why-unanswered'

export interface Process extends Surroundings {
  readonly argv: readonly string[]
  readonly stdout: Stream
  readonly stderr: Stream
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
}

/** Runs one command and returns its exit code. A failure is a sentence on standard error; only a defect is thrown. */
export async function runCli(given: Process): Promise<ExitCode> {
  try {
    refuseKeys(given.argv)
    const [first = '--help'] = given.argv
    const command = findCommand(commands, given.argv)
    if (command !== undefined) return await runCommand(command, given)
    given.stdout.write(`${withoutCommand(first, given.argv)}\n`)
    return exitCodes.done
  } catch (error) {
    const { message, exitCode } = explain(error, given.signal)
    given.stderr.write(maskSecrets(`malipo: ${message}\n`))
    return exitCode
  }
}

async function runCommand(command: Command, given: Process): Promise<ExitCode> {
  const parsed = parseArguments(command, given.argv)
  if (parsed.wantsHelp) {
    given.stdout.write(`${commandHelp(command)}\n`)
    return exitCodes.done
  }
  const output = openOutput({ ...given, wantsJson: parsed.wantsJson })
  return command.run(parsed.given, {
    settings: readSettings(given),
    output,
    signal: given.signal,
    openBrowser: (url) => !output.isJson && openBrowser(url, given.env),
  })
}

/**
 * Returns the help, the version, or the help of a group such as `checkouts`. Throws CommandError for any other words.
 */
function withoutCommand(first: string, argv: readonly string[]): string {
  if (['--help', '-h', 'help'].includes(first)) return overview(commands)
  if (first === '--version') return version()
  const group = commands.filter(({ words }) => words[0] === first)
  if (group.length > 0 && argv.some((word) => ['--help', '-h'].includes(word)))
    return overview(group)
  const known = group.length > 0 ? group : commands
  const names = known.map(({ words }) => words.join(' ')).join(', ')
  throw new CommandError(
    `There is no command "${argv.slice(0, 2).join(' ')}". There are: ${names}. See: malipo --help`,
  )
}

function version(): string {
  const manifest = readFileSync(join(__dirname, '../package.json'), 'utf8')
  return (JSON.parse(manifest) as { readonly version: string }).version
}

function explain(
  error: unknown,
  signal: AbortSignal,
): { readonly message: string; readonly exitCode: ExitCode } {
  if (signal.aborted) return { message: 'stopped', exitCode: exitCodes.interrupted }
  if (error instanceof CommandError) return error
  if (error instanceof MalipoError) {
    const { message, code, requestId } = error
    const more = `About this code: /docs/errors/${String(code)} of MALIPO_URL. Request ${requestId}`
    return { message: `${message}\n${more}`, exitCode: exitCodes.refused }
  }
  if (error instanceof MalipoConnectionError) {
    const { what, advice } = whyUnanswered(error.cause)
    const reason = error.cause === undefined ? '' : ` (${what}). ${advice}`
    const message = `${error.message}${reason}\nmalipo doctor looks for the reason.`
    return { message, exitCode: exitCodes.unanswered }
  }
  throw error
}
