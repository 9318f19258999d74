import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { archiveSettings } from './backup/archive'
import type { StackOptions } from './config'
import type { Supervisor } from './supervisor'
import { type DatabaseService, migrate } from './migrate'
import type { Ports } from './ports'
import {
  createDatabase,
  initialisePostgres,
  openPostgres,
  postgresCommand,
  type PostgresOptions,
  postgresUrl,
  untilPostgresAnswers,
} from './postgres'
import { provideRedis } from './provide-redis'
import { forgetStandby, type Standby, startStandby } from './standby/standby'
import { refuseUnpromoted } from './standby/standby-dir'
import type { Supervised } from './supervise'
import { configureRedis, redisUrl, untilRedisAnswers } from './redis'
import { readSecrets, type Secrets } from './secrets'
import { urlOfRole } from './service-role'
import type { StackFile } from './stack-file'

export interface DatabaseOptions {
  readonly options: StackOptions
  readonly ports: Ports
  readonly secrets: Secrets
  readonly supervisor: Supervisor
  readonly onProgress: (line: string) => void
  readonly signal: AbortSignal
}

/** Each database, and the service whose migrations it takes. */
const databases = {
  ledger_ke: 'ledger',
  ledger_ug: 'ledger',
  ledger_ke_cell_1: 'ledger',
  ledger_ug_cell_1: 'ledger',
  keys: 'keys',
  accounts: 'auth',
} as const satisfies Record<keyof StackFile['databases'], DatabaseService>

type Name = keyof typeof databases

/** The databases of a stack: those of the second cells only where it has them. */
function namesOf({ cells }: Pick<StackOptions, 'cells'>): readonly Name[] {
  const all = Object.keys(databases) as Name[]
  return cells === 2 ? all : all.filter((name) => !name.endsWith('_cell_1'))
}
/** 64 MB hold all tables after a day of trying Malipo out. The last two settings avoid four idle processes. */
export const smallMachine = {
  shared_buffers: '64MB',
  max_connections: '200',
  io_method: 'sync',
  max_logical_replication_workers: '0',
}
const startDeadlineMs = 30_000
/** A server of the user's own runs already, so it answers soon or not at all. */
const answerDeadlineMs = 5_000

/** The URLs of each database: of its owner, and of the running role of its service. */
export interface OpenDatabases {
  readonly owners: StackFile['databases']
  readonly services: StackFile['databases']
  /** The standby of the embedded server, where one was asked for. */
  readonly standby: Standby | undefined
}

/** Opens one server, the user's or an embedded one; makes and migrates every database, each with its running role. */
export async function openDatabases(given: DatabaseOptions): Promise<OpenDatabases> {
  const { url, startStandby: standby } = given.options.databaseUrl
    ? await ownServer(given)
    : await embeddedServer(given)
  const names = namesOf(given.options)
  const roleUrl = roleUrlOf(given.secrets, url)
  await makeDatabases({ names, url, roleUrl, signal: given.signal })
  return {
    owners: byName(names, url),
    services: byName(names, roleUrl),
    standby: await standby?.(),
  }
}

function roleUrlOf({ databasePasswords }: Secrets, url: UrlOf) {
  return (name: Name) => urlOfRole(url(name), `malipo_${name}`, databasePasswords[name])
}

/** Makes the databases that a server lacks, and migrates each of them. */
async function makeDatabases({
  names,
  url,
  roleUrl,
  signal,
}: {
  readonly names: readonly Name[]
  readonly url: UrlOf
  readonly roleUrl: (name: Name) => string
  readonly signal?: AbortSignal
}): Promise<void> {
  await Promise.all(
    names.map(async (name) => {
      await createDatabase(url('postgres'), name)
      await migrate(databases[name], { owner: url(name), service: roleUrl(name) }, signal)
    }),
  )
}

/** Makes the databases of a stack that has not run yet, in its folder. */
export async function makeDatabasesIn(dir: string): Promise<void> {
  const secrets = readSecrets(dir)
  const password = secrets.postgresPassword
  const dataDir = join(dir, 'postgres')
  const server = await openPostgres({ dataDir, password, settings: smallMachine })
  const url = (database: string) => server.url(database)
  await makeDatabases({ names: namesOf({ cells: 1 }), url, roleUrl: roleUrlOf(secrets, url) })
  await server.stop()
}

function byName(names: readonly Name[], url: (name: Name) => string): StackFile['databases'] {
  const urls = names.map((name) => [name, url(name)] as const)
  return Object.fromEntries(urls) as StackFile['databases']
}

type UrlOf = (database: string) => string

interface Server {
  readonly url: UrlOf
  readonly startStandby?: () => Promise<Standby>
}

async function ownServer({ options, onProgress }: DatabaseOptions): Promise<Server> {
  const given = options.databaseUrl ?? ''
  const url = (database: string) => Object.assign(new URL(given), { pathname: `/${database}` }).href
  await untilPostgresAnswers(url('postgres'), answerDeadlineMs).catch((error: unknown) => {
    throw new Error(`The server of DATABASE_URL cannot be used. ${String(error)}`, { cause: error })
  })
  if (options.fresh) {
    const names = Object.keys(databases)
    onProgress(`Dropping the databases ${names.join(', ')} of DATABASE_URL …`)
    for (const name of names) await dropDatabase(url('postgres'), name)
  }
  return { url }
}

async function dropDatabase(serverUrl: string, database: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(database)} WITH (FORCE)`)
  await client.end()
}

async function embeddedServer(given: DatabaseOptions): Promise<Server> {
  const { options, ports, secrets, supervisor, onProgress } = given
  refuseUnpromoted(options.dir)
  const postgres = {
    dataDir: join(options.dir, 'postgres'),
    password: secrets.postgresPassword,
    port: ports.postgres.server,
    settings: { ...smallMachine, ...archiveSettings(options.dir) },
  }
  initialisePostgres(postgres)
  const [command, args] = postgresCommand(postgres)
  const server = supervisor.keep('databases', {
    name: 'postgres',
    command,
    args,
    env: options.environment,
    // Fast shutdown, then the immediate one. It is safer than SIGKILL, because the server's children end too.
    stopSignals: ['SIGINT', 'SIGQUIT'],
  })
  const url = (database: string) => postgresUrl(postgres, database)
  await untilPostgresAnswers(url('postgres'), startDeadlineMs, () =>
    supervisor.hasGivenUp(server),
  ).catch((error: unknown) => {
    throw supervisor.failure(server, error)
  })
  const { dir, standby: keepsCopy } = options
  await forgetStandby({ dir, primary: postgres, onProgress }, { keepsCopy })
  if (!keepsCopy) return { url }
  return { url, startStandby: () => standbyOf(given, postgres, server) }
}

/** The standby is made after the migrations, so that their commits do not wait for it. */
function standbyOf(
  { options, ports, supervisor, onProgress }: DatabaseOptions,
  primary: PostgresOptions,
  server: Supervised,
): Promise<Standby> {
  const { dir, environment } = options
  const port = ports['postgres-standby'].server
  return startStandby({ dir, primary, server, port, supervisor, environment, onProgress })
}

/** Returns the URL of the user's Redis, or of an embedded one, once it answers. */
export async function openQueue(given: DatabaseOptions): Promise<string> {
  const { options, ports, secrets, supervisor, onProgress } = given
  if (options.redisUrl !== undefined) {
    await untilRedisAnswers(options.redisUrl, answerDeadlineMs).catch((error: unknown) => {
      throw new Error(`The server of REDIS_URL cannot be used. ${String(error)}`, { cause: error })
    })
    return options.redisUrl
  }
  const redis = {
    dataDir: join(options.dir, 'redis'),
    password: secrets.redisPassword,
    port: ports.redis.server,
  }
  mkdirSync(redis.dataDir, { recursive: true, mode: 0o700 })
  const server = supervisor.keep('databases', {
    name: 'redis',
    command: await provideRedis(onProgress),
    args: [configureRedis(redis)],
    env: options.environment,
    stopSignals: ['SIGTERM'],
  })
  await untilRedisAnswers(redisUrl(redis), startDeadlineMs, () =>
    supervisor.hasGivenUp(server),
  ).catch((error: unknown) => {
    throw supervisor.failure(server, error)
  })
  return redisUrl(redis)
}
