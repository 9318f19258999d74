import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { repositoryDir } from './migrate'

export interface StackOptions {
  /** Where the stack keeps its data, secrets and logs. */
  readonly dir: string
  readonly fresh: boolean
  readonly ports: 'fixed' | 'auto'
  /** Prometheus runs beside the stack. */
  readonly observe: boolean
  /** A second server of the databases replays the first, and can take its place. */
  readonly standby: boolean
  /** M-PESA is paid at a till (Buy Goods) instead of a Pay Bill number. */
  readonly till: boolean
  /** How many gateways, ledgers and workers each country has; two gateways are behind a balancer. */
  readonly replicas: 1 | 2
  /** How many cells each country has. */
  readonly cells: 1 | 2
  /** Servers of the user's own; absent: embedded ones. */
  readonly databaseUrl: string | undefined
  readonly redisUrl: string | undefined
  /** The environment that every process inherits. Settings that the stack decides override it. */
  readonly environment: NodeJS.ProcessEnv
}

const flags = {
  fresh: { type: 'boolean', default: false },
  ports: { type: 'string', default: 'fixed' },
  dir: { type: 'string', default: '.stack' },
  observe: { type: 'boolean', default: false },
  standby: { type: 'boolean', default: false },
  'whole-shillings': { type: 'boolean', default: false },
  till: { type: 'boolean', default: false },
  replicas: { type: 'string', default: '1' },
  cells: { type: 'string', default: '1' },
} as const

const schema = z.object({
  fresh: z.boolean(),
  observe: z.boolean(),
  standby: z.boolean(),
  till: z.boolean(),
  replicas: z
    .enum(['1', '2'], { error: 'must be 1 or 2; two show what more would: --replicas 2' })
    .transform((text) => (text === '2' ? 2 : 1)),
  cells: z
    .enum(['1', '2'], { error: 'must be 1 or 2; two show what more would: --cells 2' })
    .transform((text) => (text === '2' ? 2 : 1)),
  ports: z.enum(['fixed', 'auto'], { error: 'must be fixed or auto' }),
  dir: z.string().min(1),
})

const variables = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  /** Where npm was called; a script of package.json itself always runs at the top of the repository. */
  INIT_CWD: z.string().default(repositoryDir),
})

/** Reads `npm start`'s flags and environment. Throws with what is wrong about them. */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): StackOptions {
  const { values } = parseArgs({ args: [...args], options: flags })
  const read = schema.safeParse(values)
  const set = Object.entries(environment).filter(([, value]) => value !== '')
  const known = variables.safeParse(Object.fromEntries(set))
  if (!read.success) throw new Error(z.prettifyError(read.error))
  if (!known.success) throw new Error(z.prettifyError(known.error))
  if (read.data.standby && known.data.DATABASE_URL !== undefined) {
    throw new Error('--standby is of the embedded server: a server of DATABASE_URL has its own')
  }
  if (read.data.cells === 2 && read.data.till) {
    throw new Error('--till has one cell: a payment to a till does not say whose it is')
  }
  return {
    ...read.data,
    dir: resolve(known.data.INIT_CWD, read.data.dir),
    databaseUrl: known.data.DATABASE_URL,
    redisUrl: known.data.REDIS_URL,
    environment: {
      ...Object.fromEntries(set.filter(([name]) => !name.startsWith('npm_'))),
      // Read by the ledger, which then asks for whole shillings, and by the simulator, which then refuses cents.
      ...(values['whole-shillings'] && { MPESA_WHOLE_SHILLINGS: 'true' }),
    },
  }
}
