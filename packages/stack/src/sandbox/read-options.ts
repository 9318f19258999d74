import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { readOptions, type StackOptions } from '../config'

export interface SandboxOptions {
  readonly stack: StackOptions
  /** A file that appears when the sandbox is ready, and goes when it ends. */
  readonly readyFile: string | undefined
  /** The page of the shop that payers come back to, from an https address. */
  readonly returnTo: URL | undefined
  /** A program with its arguments that runs against the sandbox, which ends with it. */
  readonly command: readonly string[]
}

const flags = {
  fresh: { type: 'boolean', default: false },
  ports: { type: 'string', default: 'fixed' },
  dir: { type: 'string', default: join(homedir(), '.malipo', 'sandbox') },
  'whole-shillings': { type: 'boolean', default: false },
  'ready-file': { type: 'string' },
  'return-to': { type: 'string' },
} as const

const shop = z.url({ protocol: /^https?$/, error: '--return-to must be the address of a shop' })

/** Reads the flags of the sandbox. What stands behind `--` is a command. Throws with what is wrong about them. */
export function readSandboxOptions(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  folder: string,
): SandboxOptions {
  const end = args.indexOf('--')
  const own = end < 0 ? args : args.slice(0, end)
  const { values } = parseArgs({ args: [...own], options: flags })
  const stack = ['--ports', values.ports, '--dir', values.dir]
  if (values.fresh) stack.push('--fresh')
  if (values['whole-shillings']) stack.push('--whole-shillings')
  const { 'ready-file': readyFile, 'return-to': returnTo } = values
  return {
    // Ignores servers that the environment names: a shop's tests must not write to a server that holds other data.
    stack: readOptions(stack, {
      ...environment,
      DATABASE_URL: '',
      REDIS_URL: '',
      INIT_CWD: folder,
    }),
    readyFile: readyFile === undefined ? undefined : resolve(folder, readyFile),
    returnTo: returnTo === undefined ? undefined : new URL(shop.parse(returnTo)),
    command: end < 0 ? [] : args.slice(end + 1),
  }
}
