import { randomInt } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'
import { writePrivateFile } from './private-file'

/**
 * Every port of a stack: from 4000 what both countries share, from 4100 Kenya, from 4200 Uganda. `public` is for
 * browsers and merchants, `callbacks` for providers, `grpc` for our own processes, `admin` for health and metrics. With
 * `--replicas 2` the first two belong to the balancer, and each gateway listens behind it.
 */
export const fixedPorts = {
  auth: { public: 4000, grpc: 4001, admin: 4009 },
  keys: { grpc: 4011, admin: 4019 },
  postgres: { server: 4032 },
  'postgres-standby': { server: 4033 },
  simulator: { public: 4050, admin: 4059 },
  console: { public: 4060, admin: 4069 },
  'console-cell-1': { public: 4061, admin: 4068 },
  redis: { server: 4079 },
  prometheus: { server: 4090 },
  alertmanager: { server: 4093 },
  'gateway-ke': {
    public: 4100,
    callbacks: 4101,
    publicBehind: 4102,
    callbacksBehind: 4103,
    admin: 4109,
  },
  'gateway-ke-2': { publicBehind: 4104, callbacksBehind: 4105, admin: 4108 },
  'ledger-ke': { grpc: 4111, admin: 4119 },
  'ledger-ke-2': { grpc: 4112, admin: 4118 },
  'ledger-ke-cell-1': { grpc: 4113, admin: 4117 },
  'worker-ke': { admin: 4129 },
  'worker-ke-2': { admin: 4128 },
  'worker-ke-cell-1': { admin: 4127 },
  'gateway-ug': {
    public: 4200,
    callbacks: 4201,
    publicBehind: 4202,
    callbacksBehind: 4203,
    admin: 4209,
  },
  'gateway-ug-2': { publicBehind: 4204, callbacksBehind: 4205, admin: 4208 },
  'ledger-ug': { grpc: 4211, admin: 4219 },
  'ledger-ug-2': { grpc: 4212, admin: 4218 },
  'ledger-ug-cell-1': { grpc: 4213, admin: 4217 },
  'worker-ug': { admin: 4229 },
  'worker-ug-2': { admin: 4228 },
  'worker-ug-cell-1': { admin: 4227 },
} as const

export type Ports = {
  readonly [Program in keyof typeof fixedPorts]: Readonly<
    Record<keyof (typeof fixedPorts)[Program], number>
  >
}

const lowest = Math.min(...portsOf(fixedPorts))

/** Below the ports that systems give to outgoing connections, so that a restarting service finds its port free. */
export const autoRange = { from: 10_000, to: 32_000 }
/** A place is the range of ports of one stack. Places do not overlap, and the last port of a place is its guard. */
const placeSize = 250
const places = (autoRange.to - autoRange.from) / placeSize

const placeSchema = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.addIssue('is not JSON')
      return z.NEVER
    }
  })
  .pipe(
    z.object({
      place: z
        .int()
        .min(0)
        .max(places - 1),
    }),
  )

/** The port of the https address that redirects browsers to a shop, in the stack that has this gateway of Kenya. */
export function returnPortBeside(gatewayUrl: string): number {
  const { port } = new URL(gatewayUrl)
  return z.coerce.number().parse(port) - fixedPorts['gateway-ke'].public + 4043
}

/** The fixed ports. Throws with those that are taken, and the programs that need them. */
export async function takeFixedPorts(): Promise<Ports> {
  const taken = await takenOf(fixedPorts)
  if (taken.length === 0) return fixedPorts
  throw new Error(
    `Another process listens on ${taken.join(', ')}. Stop it, or start with --ports auto (npm start -- --ports auto)`,
  )
}

/**
 * Moves the layout to a place whose ports are all free: port 4100 becomes, say, 17100. The place that the stack of
 * `dir` had before is tried first, so that bookmarks and settings of shops stay true. Services listen only seconds
 * later, so this process keeps the last port of the place, the guard, open as long as it lives: another stack then
 * leaves the place alone.
 */
export async function takeAutoPorts(dir: string): Promise<Ports> {
  const first = rememberedPlace(dir) ?? randomInt(places)
  for (let turn = 0; turn < places; turn++) {
    const index = (first + turn) % places
    const place = autoRange.from + index * placeSize
    const guard = await listen(place + placeSize - 1)
    if (guard === undefined) continue
    const ports = shifted(place - lowest)
    if ((await takenOf(ports)).length === 0) {
      guard.unref()
      writePrivateFile(placeFile(dir), JSON.stringify({ place: index }))
      return ports
    }
    await close(guard)
  }
  const { from, to } = autoRange
  throw new Error(
    `Every place for a stack between ports ${String(from)} and ${String(to)} is taken`,
  )
}

/** The file that remembers the place. `--fresh` keeps it, because it is about the machine and not about the data. */
function placeFile(dir: string): string {
  return join(dir, 'ports.json')
}

/** Undefined where no stack of this folder has had automatic ports, or where the file says nothing of use. */
function rememberedPlace(dir: string): number | undefined {
  if (!existsSync(placeFile(dir))) return undefined
  return placeSchema.safeParse(readFileSync(placeFile(dir), 'utf8')).data?.place
}

function shifted(shift: number): Ports {
  const entries = Object.entries(fixedPorts).map(([program, ports]) => [
    program,
    Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, port + shift])),
  ])
  return Object.fromEntries(entries) as Ports
}

function portsOf(ports: Ports): number[] {
  return Object.values(ports).flatMap((ports) => Object.values(ports))
}

async function takenOf(ports: Ports): Promise<string[]> {
  const all = Object.entries(ports).flatMap(([program, ports]) =>
    Object.values(ports).map((port: number) => ({ program, port })),
  )
  const free = await Promise.all(all.map(({ port }) => isFree(port)))
  return all
    .filter((_, index) => !free[index])
    .map(({ program, port }) => `port ${String(port)} (${program})`)
}

export async function isFree(port: number): Promise<boolean> {
  const server = await listen(port)
  if (server === undefined) return false
  await close(server)
  return true
}

/** Undefined when another process listens on the port. */
function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => {
      resolve(undefined)
    })
    server.listen(port, '127.0.0.1', () => {
      resolve(server)
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve()
    })
  })
}
