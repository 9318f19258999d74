import { parseArgs } from 'node:util'
import { z } from 'zod'

export interface SimulatorOptions {
  /** The settings of the simulator, as its configuration reads them. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** A program with its arguments that runs against the simulator, which ends with it. */
  readonly command: readonly string[]
}

/** The merchant that is played unless the environment says otherwise. The short code is that of Safaricom's sandbox. */
const merchant = {
  MPESA_CONSUMER_KEY: 'consumer-key',
  MPESA_CONSUMER_SECRET: 'consumer-secret',
  MPESA_SHORTCODE: '174379',
  MPESA_PASSKEY: 'passkey',
  MPESA_INITIATOR: 'testapi',
  MPESA_INITIATOR_PASSWORD: 'initiator-password',
  MTN_MOMO_SUBSCRIPTION_KEY: 'subscription-key',
  MTN_MOMO_API_USER: 'c72025f5-5cd1-4630-99e4-8ba4722fad56',
  MTN_MOMO_API_KEY: 'api-key',
  AIRTEL_CLIENT_ID: 'client-id',
  AIRTEL_CLIENT_SECRET: 'client-secret',
  CARD_MERCHANT_ID: 'TESTMERCHANT',
  CARD_API_PASSWORD: 'api-password',
  CARD_NOTIFICATION_SECRET: 'notification-secret',
} as const

const flags = {
  port: { type: 'string', default: '4010' },
  strict: { type: 'boolean', default: false },
  'whole-shillings': { type: 'boolean', default: false },
  seed: { type: 'string' },
} as const

/** What `scenario` takes beside the flags of the simulator. */
const scenarioFlags = {
  junit: { type: 'string' },
  url: { type: 'string' },
  schema: { type: 'boolean', default: false },
} as const

const port = z
  .string()
  .regex(/^(auto|\d{1,5})$/, '--port must be a number, or auto')
  .transform((text) => (text === 'auto' ? '0' : text))

/** Reads the flags of the simulator. What stands behind `--` is a command. Throws with what is wrong about them. */
export function readSimulatorOptions(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): SimulatorOptions {
  const { own, command } = split(args)
  const { values } = parseArgs({ args: [...own], options: flags })
  return { environment: environmentOf(values, environment), command }
}

export interface ScenarioOptions extends SimulatorOptions {
  readonly files: readonly string[]
  /** Where to write the report for CI. */
  readonly junit: string | undefined
  /** A simulator that runs already. */
  readonly url: string | undefined
  /** Print the JSON schema of scenario files, and run none. */
  readonly schema: boolean
}

/** Reads what follows `scenario`; the command is the shop. */
export function readScenarioOptions(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): ScenarioOptions {
  const { own, command } = split(args)
  const { values, positionals: files } = parseArgs({
    args: [...own],
    options: { ...flags, port: { type: 'string', default: 'auto' }, ...scenarioFlags },
    allowPositionals: true,
  })
  const { junit, url, schema } = values
  if (files.length === 0 && !schema) throw new Error('scenario needs a FILE; --help says how')
  return { environment: environmentOf(values, environment), command, files, junit, url, schema }
}

function split(args: readonly string[]) {
  const end = args.indexOf('--')
  return end < 0
    ? { own: args, command: [] }
    : { own: args.slice(0, end), command: args.slice(end + 1) }
}

interface Values {
  readonly port: string
  readonly strict: boolean
  readonly 'whole-shillings': boolean
  readonly seed?: string | undefined
}

function environmentOf(
  values: Values,
  environment: NodeJS.ProcessEnv,
): SimulatorOptions['environment'] {
  return {
    LOG_LEVEL: 'silent',
    ...merchant,
    ...environment,
    HOST: '127.0.0.1',
    // PORT of the environment is that of the shop.
    PORT: port.parse(values.port),
    ADMIN_PORT: '0',
    ...(values.strict && { SIMULATOR_PROFILE: 'strict' }),
    ...(values['whole-shillings'] && { MPESA_WHOLE_SHILLINGS: 'true' }),
    ...(values.seed !== undefined && { SEED: values.seed }),
  }
}

/** What a shop and its tests read from their environment: where the simulator is, and its merchant. */
export function settingsOf(
  url: string,
  environment: SimulatorOptions['environment'],
): Readonly<Record<string, string>> {
  const names = Object.keys(merchant)
  return {
    SIMULATOR_URL: url,
    ...Object.fromEntries(names.map((name) => [name, environment[name] ?? ''])),
  }
}
