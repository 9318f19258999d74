import { maskSecrets } from './mask-secrets'

export interface Stream {
  readonly isTTY?: boolean
  write(text: string): unknown
}

type Colour = 'green' | 'red' | 'yellow' | 'faint'

const codes: Readonly<Record<Colour, number>> = { green: 32, red: 31, yellow: 33, faint: 2 }

export interface Output {
  /** True with `--json`, and whenever standard output is no terminal. */
  readonly isJson: boolean
  /** Writes the result of the command to standard output: `value` as one line of JSON if `isJson`, else `text`. */
  result(value: object, text: string): void
  /** Writes progress to standard error. */
  note(text: string): void
  readonly paint: (colour: Colour, text: string) => string
}

export interface OutputOptions {
  readonly stdout: Stream
  readonly stderr: Stream
  readonly env: Readonly<Record<string, string | undefined>>
  readonly wantsJson: boolean
}

/** Opens the output of a command. Every line is masked, so that none shows a secret. */
export function openOutput({ stdout, stderr, env, wantsJson }: OutputOptions): Output {
  const isTerminal = stdout.isTTY === true
  const isJson = wantsJson || !isTerminal
  const isPlain = isJson || Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb'
  return {
    isJson,
    result(value, text) {
      stdout.write(`${maskSecrets(isJson ? JSON.stringify(value) : text)}\n`)
    },
    note(text) {
      stderr.write(`${maskSecrets(text)}\n`)
    },
    paint: (colour, text) => (isPlain ? text : `\u001B[${String(codes[colour])}m${text}\u001B[0m`),
  }
}

/** A text that others wrote, without the control characters that would steer a terminal. */
export function plain(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '�')
}
