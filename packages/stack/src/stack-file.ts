import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writePrivateFile } from './private-file'

const host = z.object({ base_url: z.url(), auth_url: z.url(), callback_url: z.url() })

/** The description of a running stack in `<dir>/stack.json`, which exists only while the whole stack is ready. */
const schema = z.object({
  ready: z.literal(true),
  hosts: z.object({ ke: host, ug: host }),
  simulator: z.object({ url: z.url() }),
  /** Where operators sign in. */
  console: z.object({ url: z.url() }),
  /** Where operators of the second cells sign in. */
  cell_console: z.object({ url: z.url() }).optional(),
  docs_url: z.url(),
  /** Where Prometheus answers, if it was asked for. */
  prometheus: z.object({ url: z.url() }).optional(),
  /** Where Alertmanager shows the alerts that reach an operator, if it was asked for. */
  alertmanager: z.object({ url: z.url() }).optional(),
  merchants: z.array(
    z.object({
      country: z.enum(['ke', 'ug']),
      username: z.string(),
      handle: z.string(),
      secret_key: z.string(),
      pin: z.string(),
      password: z.string(),
      card: z.boolean(),
    }),
  ),
  /** The URL of each database as its owner; the services connect as roles that may do less. */
  databases: z.object({
    ledger_ke: z.string(),
    ledger_ug: z.string(),
    /** With `--cells 2`. */
    ledger_ke_cell_1: z.string().optional(),
    ledger_ug_cell_1: z.string().optional(),
    keys: z.string(),
    accounts: z.string(),
  }),
  redis: z.string(),
  /** Whether a standby can take the place of the server of the databases: `npm run promote`. */
  standby: z.boolean().optional(),
  supervisor: z.object({ pid: z.number().int() }),
  processes: z.record(
    z.string(),
    z.object({
      pid: z.number().int(),
      metrics_url: z.url(),
      /** Its gRPC address as host:port, if it serves gRPC. */
      address: z.string().optional(),
    }),
  ),
})

export type StackFile = z.output<typeof schema>
export type Merchant = StackFile['merchants'][number]

export function writeStackFile(dir: string, stack: StackFile): void {
  writePrivateFile(pathIn(dir), `${JSON.stringify(schema.parse(stack), undefined, 2)}\n`)
}

/** Undefined when no stack of this folder is ready. */
export function readStackFile(dir: string): StackFile | undefined {
  const text = readIfThere(pathIn(dir))
  return text === undefined ? undefined : schema.parse(JSON.parse(text))
}

/** Reads without asking first whether the file exists, because a stack that stops may remove it between the two. */
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

export function removeStackFile(dir: string): void {
  rmSync(pathIn(dir), { force: true })
}

function pathIn(dir: string): string {
  return join(dir, 'stack.json')
}
