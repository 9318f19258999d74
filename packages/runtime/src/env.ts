import { countries } from '@malipo/kernel/countries'
import { z } from 'zod'
import type { ConnectionLimits } from './bound-connections'
import { isNetwork } from './networks'

/** Parses a process's environment, and reports every problem at once, so that one restart fixes them all. */
export function readEnvironment<Schema extends z.ZodType>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
): z.output<Schema> {
  const parsed = schema.safeParse(environment)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`The environment is not usable:\n${problems.join('\n')}`)
}

export const port = z.coerce.number().int().min(0).max(65_535)
export const seconds = z.coerce.number().positive()
export const count = z.coerce.number().int().positive()
/** `ke` or `KE`: the supported countries. */
export const country = z
  .string()
  .toLowerCase()
  .pipe(z.enum(Object.values(countries).map((rules) => rules.country)))
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true')
/** A secret: hex, at least 32 bytes. It has no default anywhere. */
export const secret = z
  .string()
  .regex(/^[0-9a-f]{64,}$/, 'must be at least 64 lower-case hex digits')
  .transform((hex) => Buffer.from(hex, 'hex'))
/** A secret of a fixed length, as keys of an algorithm are. */
export const secretOf = (bytes: number) =>
  secret.refine(({ length }) => length === bytes, `must be ${String(2 * bytes)} hex digits`)
/** `a,b , c` -> `['a', 'b', 'c']`. */
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)
export const logLevel = z
  .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
  .default('info')

/** An internal service's address: `host:port`, a name for all of its replicas, or a list of the addresses of each. */
export const address = z
  .string()
  .regex(
    /^(?:[^\s/:]+:\d+|ipv4:(?:[\d.]+:\d+,)*[\d.]+:\d+)$/,
    'must be host:port, or ipv4: and the IP:port of each replica, with commas between',
  )
export const networks = list.refine(
  (entries) => entries.every(isNetwork),
  'must be addresses or networks like 10.0.0.0/8',
)
/** The public base URL, without a trailing slash. */
export const webUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))

/** Limits of a public listener: connections in all, connections of one address, and idle time. */
export const connectionSettings = {
  CONNECTIONS_MAX: count.default(2_000),
  CONNECTIONS_PER_ADDRESS_MAX: count.default(400),
  IDLE_CONNECTION_SECONDS: seconds.default(15),
}
export function connectionLimits(read: {
  readonly CONNECTIONS_MAX: number
  readonly CONNECTIONS_PER_ADDRESS_MAX: number
  readonly IDLE_CONNECTION_SECONDS: number
}): ConnectionLimits {
  return {
    max: read.CONNECTIONS_MAX,
    perAddressMax: read.CONNECTIONS_PER_ADDRESS_MAX,
    idleSeconds: read.IDLE_CONNECTION_SECONDS,
  }
}
