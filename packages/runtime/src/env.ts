import { cellsMax } from '@malipo/kernel/cells'
import { countries } from '@malipo/kernel/countries'
import { z } from 'zod'
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

type Setting = readonly [variable: string, rule: z.ZodType]
interface Settings {
  readonly [name: string]: Setting | Settings
}
type Read<Shape extends Settings> = {
  readonly [Name in keyof Shape]: Shape[Name] extends readonly [
    string,
    infer Rule extends z.ZodType,
  ]
    ? z.output<Rule>
    : Shape[Name] extends Settings
      ? Read<Shape[Name]>
      : never
}

/**
 * The schema of an environment: each setting by its name in code, with its variable and its rule. Settings that belong
 * together are an object. Problems name the variable. Variables are renamed by `overwrite`, because a transform does
 * not run once a value is invalid, and the refinements of a service would then not be reported with that value.
 */
export function settings<const Shape extends Settings>(shape: Shape): z.ZodType<Read<Shape>> {
  const variables = z.object(Object.fromEntries(settingsIn(shape)))
  return variables.overwrite((values) => named(shape, values)) as z.ZodType as z.ZodType<
    Read<Shape>
  >
}

export function settingsIn(shape: Settings): Setting[] {
  return Object.values(shape).flatMap((entry) => (isSetting(entry) ? [entry] : settingsIn(entry)))
}

function named(
  shape: Settings,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, entry]) => [
      name,
      isSetting(entry) ? values[entry[0]] : named(entry, values),
    ]),
  )
}

function isSetting(entry: Setting | Settings): entry is Setting {
  return Array.isArray(entry)
}

type Whole<Group, Needed extends keyof Group> = Group & {
  readonly [Name in Needed]: NonNullable<Group[Name]>
}

/** A group of settings; undefined while one that it needs is not set. */
export function whole<Group extends object, Needed extends keyof Group>(
  group: Group,
  needed: readonly Needed[],
): Whole<Group, Needed> | undefined {
  const isWhole = (one: Group): one is Whole<Group, Needed> =>
    needed.every((name) => one[name] !== undefined)
  return isWhole(group) ? group : undefined
}

export const port = z.coerce.number().int().min(0).max(65_535)
export const seconds = z.coerce.number().positive()
export const count = z.coerce.number().int().positive()
/** `ke` or `KE`: the supported countries. */
export const country = z
  .string()
  .toLowerCase()
  .pipe(z.enum(Object.values(countries).map((rules) => rules.country)))
export const cell = z
  .string()
  .regex(/^\d+$/)
  .transform(Number)
  .refine((number) => number < cellsMax, `must be below ${String(cellsMax)}`)
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true')
/** A secret: hex, at least 32 bytes. It has no default anywhere. */
export const secret = z
  .string()
  .regex(/^[0-9a-f]{64,}$/, 'must be at least 64 lower-case hex digits')
  .transform((hex): Buffer => Buffer.from(hex, 'hex'))
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
/** `a b` -> `['a', 'b']`: one value for each further cell, from cell 1 on. */
export const words = z.string().transform((text) => text.split(/\s+/).filter((part) => part !== ''))
export const addresses = words.pipe(z.array(address).max(cellsMax - 1))
export const networks = list.refine(
  (entries) => entries.every(isNetwork),
  'must be addresses or networks like 10.0.0.0/8',
)
/** A base URL. Trailing slashes are removed. */
export const webUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))

/** Limits of a public listener: connections in all, connections of one address, and idle time. */
export const connectionSettings = {
  max: ['CONNECTIONS_MAX', count.default(2_000)],
  perAddressMax: ['CONNECTIONS_PER_ADDRESS_MAX', count.default(400)],
  idleSeconds: ['IDLE_CONNECTION_SECONDS', seconds.default(15)],
} as const
