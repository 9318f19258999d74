import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeIdentities } from './certificates'
import type { Claim } from './claim'
import type { StackOptions } from './config'
import { openDatabases, openQueue } from './databases'
import { type Group, type Supervisor, openSupervisor } from './supervisor'
import { observe } from './observe/observe'
import { type Ports, takeAutoPorts, takeFixedPorts } from './ports'
import { untilWritten, writePrivateFile } from './private-file'
import {
  builtCommand,
  type Command,
  httpUrl,
  type ServiceProgram,
  servicePrograms,
} from './programs'
import { readSecrets } from './secrets'
import { seed } from './seed'
import { addCells, type Cells } from './cells/add-cells'
import { replicate } from './replicas/replicate'
import { startBalancer } from './replicas/start-balancer'
import { removeStackFile, type StackFile, writeStackFile } from './stack-file'
import type { Standby } from './standby/standby'
import { untilReady } from './until-ready'
import { addAutoApprovingPhone } from './auto-approving-phone'

export interface Stack {
  readonly file: StackFile
  /** Has the standby take the place of the server of the databases. */
  promote(): Promise<void>
  stop(): Promise<void>
}

export interface StartOptions {
  readonly options: StackOptions
  readonly claim: Claim
  readonly onProgress: (line: string) => void
  /** Aborted when the user no longer wants the stack: what was started so far is stopped, and the start rejects. */
  readonly signal: AbortSignal
  /** Aborted when the user will not wait for services that stop: they are ended at once. */
  readonly atOnce: AbortSignal
  /** How to run a service. Without it the built services run. */
  readonly command?: (program: ServiceProgram) => Command
}

const readyDeadlineMs = 60_000
/** What `--fresh` removes from a stack folder. Backups, detached months, operators' keys and the chosen ports stay. */
const contents = [
  'postgres',
  'standby',
  'redis',
  'prometheus',
  'marks',
  'logs',
  'identities',
  'secrets.json',
]
/**
 * Settings that differ from production unless the environment has them: a tester who drops a callback on purpose sees
 * within a minute how its money is found, and early status queries disturb no real provider. A callback of up to KES
 * 2,000 is credited without a query, and a larger one waits for the provider's answer, so that a tester can see either.
 */
const testersPace = { QUERY_AFTER_SECONDS: '30', CALLBACK_UNCONFIRMED_MAX_MINOR: '200000' }

/** Starts everything, waits until all of it is ready, and only then says so in `<dir>/stack.json`. */
export async function start(given: StartOptions): Promise<Stack> {
  const { options, claim } = given
  const { dir } = options
  if (options.fresh)
    for (const name of contents) rmSync(join(dir, name), { recursive: true, force: true })
  const pids = new Map<string, number>()
  let published: StackFile | undefined
  const publishing = untilWritten(() => {
    if (published) writeStackFile(dir, published)
  })
  const supervisor = openSupervisor({
    dir,
    claim,
    began(name, pid) {
      pids.set(name, pid)
      const process = published?.processes[name]
      if (published && process) {
        published = {
          ...published,
          processes: { ...published.processes, [name]: { ...process, pid } },
        }
        publishing.begin()
      }
    },
  })
  given.atOnce.addEventListener('abort', () => {
    supervisor.killServices()
  })
  const stop = async () => {
    published = undefined
    publishing.stop()
    removeStackFile(dir)
    await supervisor.stopAll(given.onProgress)
    claim.release()
  }
  try {
    const { file, standby } = await startAll(given, supervisor, pids)
    given.signal.throwIfAborted()
    published = file
    writeStackFile(dir, file)
    const promoteStandby = async () => {
      if (standby === undefined || published?.standby !== true) {
        throw new Error('There is no standby to promote')
      }
      await standby.promote()
      published = { ...published, standby: false }
      writeStackFile(dir, published)
    }
    let promoting: Promise<void> | undefined
    // Concurrent calls share one promotion: a second one would set aside the server that the first has promoted.
    const promote = () =>
      (promoting ??= promoteStandby().finally(() => {
        promoting = undefined
      }))
    return { file, promote, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startAll(
  { options, onProgress, signal, command = builtCommand }: StartOptions,
  supervisor: Supervisor,
  pids: ReadonlyMap<string, number>,
): Promise<{ file: StackFile; standby: Standby | undefined }> {
  const secrets = readSecrets(options.dir)
  writeIdentities(join(options.dir, 'identities'))
  const ports = options.ports === 'auto' ? await takeAutoPorts(options.dir) : await takeFixedPorts()
  onProgress('Starting the databases …')
  const given = { options, ports, secrets, supervisor, onProgress, signal }
  const [databases, redisUrl] = await Promise.all([openDatabases(given), openQueue(given)])
  signal.throwIfAborted()
  onProgress('Starting the services …')
  const single = servicePrograms({
    dir: options.dir,
    ports,
    secrets,
    databases: databases.services,
    hasStandby: databases.standby !== undefined,
    redisUrl,
    mtnMomoPlatform: options.environment['MTN_MOMO_PLATFORM'] ?? 'legacy',
    isTillPaid: options.till,
    airtelApiVersion: options.environment['AIRTEL_API_VERSION'] ?? 'v1',
  })
  const { front, back } = multiply(single, { ...options, ports, databases: databases.services })
  writeWorkerFiles(options.dir, front)
  const inherited = withoutOwn(options.environment, [...front, ...back])
  const launch = (group: Group) => (program: ServiceProgram) => {
    const { args, env } = command(program)
    const kept = supervisor.keep(group, {
      name: program.name,
      command: process.execPath,
      args,
      env: { ...testersPace, ...inherited, ...env },
      stopSignals: ['SIGTERM'],
    })
    const url = `${httpUrl(program.adminPort)}/readyz`
    return untilReady(kept, { url, supervisor, signal, deadlineMs: readyDeadlineMs })
  }
  await Promise.all([...back.map(launch('back')), ...front.map(launch('front'))])
  if (options.replicas === 2) await startBalancer({ ports, supervisor, signal })
  onProgress('Seeding the demo merchants …')
  const merchants = await seed({ dir: options.dir, cells: options.cells, secrets, ports })
  await addAutoApprovingPhone(httpUrl(ports.simulator.public))
  const programs = [...back, ...front]
  const observed = options.observe
    ? await observeAll({ options, onProgress, signal }, { supervisor, ports, programs })
    : undefined
  const file: StackFile = {
    ...addressesOf(ports),
    ready: true,
    ...(options.cells === 2 && {
      cell_console: { url: httpUrl(ports['console-cell-1'].public) },
    }),
    ...observed,
    merchants,
    databases: databases.owners,
    redis: redisUrl,
    ...(databases.standby && { standby: true }),
    supervisor: { pid: process.pid },
    processes: processesOf(programs, ports, pids),
  }
  return { file, standby: databases.standby }
}

/** The programs with their replicas, and those of the second cells. */
function multiply(
  { front, back }: ReturnType<typeof servicePrograms>,
  given: Pick<StackOptions, 'replicas' | 'cells'> & Cells,
): ReturnType<typeof servicePrograms> {
  const several = (programs: readonly ServiceProgram[]) => {
    const all = given.replicas === 2 ? replicate(programs, given.ports) : programs
    return given.cells === 2 ? addCells(all, given) : all
  }
  return { front: several(front), back: several(back) }
}

/** The public addresses of a stack, for browsers and merchants. */
function addressesOf(
  ports: Ports,
): Pick<StackFile, 'hosts' | 'simulator' | 'console' | 'docs_url'> {
  return {
    hosts: { ke: hostOf('ke', ports), ug: hostOf('ug', ports) },
    simulator: { url: httpUrl(ports.simulator.public) },
    console: { url: httpUrl(ports.console.public) },
    docs_url: `${httpUrl(ports['gateway-ke'].public)}/docs`,
  }
}

interface Running {
  readonly supervisor: Supervisor
  readonly ports: Ports
  readonly programs: readonly ServiceProgram[]
}

async function observeAll(
  { options, onProgress, signal }: Pick<StartOptions, 'options' | 'onProgress' | 'signal'>,
  { supervisor, ports, programs }: Running,
): Promise<Pick<StackFile, 'prometheus' | 'alertmanager'>> {
  const { dir, environment } = options
  const url = new URL(httpUrl(ports.prometheus.server))
  const alertmanagerUrl = new URL(httpUrl(ports.alertmanager.server))
  const targets = programs.map(({ name, adminPort }) => ({
    name,
    address: new URL(httpUrl(adminPort)).host,
  }))
  onProgress('Starting Prometheus and Alertmanager …')
  await observe({ dir, url, alertmanagerUrl, targets, supervisor, environment, onProgress, signal })
  return { prometheus: { url: url.origin }, alertmanager: { url: alertmanagerUrl.origin } }
}

function processesOf(
  programs: readonly ServiceProgram[],
  ports: Ports,
  pids: ReadonlyMap<string, number>,
): StackFile['processes'] {
  const processes = programs.map(({ name, adminPort }) => [
    name,
    {
      pid: pids.get(name) ?? 0,
      metrics_url: `${httpUrl(adminPort)}/metrics`,
      ...('grpc' in ports[name] && { address: `127.0.0.1:${String(ports[name].grpc)}` }),
    },
  ])
  return Object.fromEntries(processes) as StackFile['processes']
}

/** Writes the environment of each worker to a file, for `npm run operate -- provider check --env FILE`. */
function writeWorkerFiles(dir: string, programs: readonly ServiceProgram[]): void {
  for (const { name, service, env } of programs) {
    if (service !== 'worker') continue
    const lines = Object.entries(env).map(([variable, value]) => `${variable}=${value}\n`)
    writePrivateFile(join(dir, `${name}.env`), lines.join(''))
  }
}

/**
 * The inherited environment without the variables that the stack gives to any service, so that Uganda's worker does not
 * find the user's M-Pesa credentials, and no service another's database.
 */
function withoutOwn(
  inherited: NodeJS.ProcessEnv,
  programs: readonly ServiceProgram[],
): NodeJS.ProcessEnv {
  const own = new Set(programs.flatMap(({ env }) => Object.keys(env)))
  return Object.fromEntries(Object.entries(inherited).filter(([name]) => !own.has(name)))
}

function hostOf(country: 'ke' | 'ug', ports: Ports): StackFile['hosts']['ke'] {
  const own = ports[`gateway-${country}`]
  return {
    base_url: httpUrl(own.public),
    auth_url: httpUrl(ports.auth.public),
    callback_url: httpUrl(own.callbacks),
  }
}
