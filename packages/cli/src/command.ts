import type { ExitCode } from './exit-codes'
import type { Output } from './output'
import type { Settings } from './read-settings'

export interface Option {
  /** The placeholder of the value in the help, such as `MINOR`. */
  readonly value: string
  readonly about: string
  readonly isRequired?: true
}

export interface Argument {
  readonly name: string
  /** The only words that are allowed; when absent, any word is. */
  readonly oneOf?: readonly string[]
}

/** The given arguments and options by name. Arguments and required options are never undefined. */
export type Given = Readonly<Record<string, string | undefined>>

export interface Tools {
  readonly settings: Settings
  readonly output: Output
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Opens a page where there is a browser to open it, and says whether it tried. */
  openBrowser(url: string): boolean
}

export interface Command {
  /** The words that call the command, such as `checkouts create`. */
  readonly words: readonly string[]
  readonly argument?: Argument
  readonly options?: Readonly<Record<string, Option>>
  /** One line; the help adds the full stop. */
  readonly summary: string
  /** The paragraph below the summary in the command's own help. */
  readonly about: string
  run(given: Given, tools: Tools): Promise<ExitCode>
}
