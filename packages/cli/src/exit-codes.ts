/** How a command ends. `malipo --help` and the README list them; a script may rely on them. */
export const exitCodes = {
  done: 0,
  /** The API refused, a check found something wrong, or a triggered payment had another outcome than the wanted one. */
  refused: 1,
  /** An argument or a setting is missing or wrong; nothing was sent. */
  misused: 2,
  /** No answer came. */
  unanswered: 3,
  /** The time to wait is over and the checkout is still open. */
  stillOpen: 4,
  /** The checkout has expired unpaid. */
  expired: 5,
  /** The checkout is completed, and its money has gone back. */
  reversed: 6,
  /** Ended by Ctrl-C. */
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** What is wrong and what to do about it, in words for the developer, with how the command ends. */
export class CommandError extends Error {
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = exitCodes.misused) {
    super(message)
    this.name = 'CommandError'
    this.exitCode = exitCode
  }
}
