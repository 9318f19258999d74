import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { backupsOf } from '../backup/archive'
import { copyRunning } from '../backup/copy-running'
import { startArchiving } from '../backup/take-backup'
import {
  giveToPostgres,
  postgresCommand,
  type PostgresOptions,
  postgresUrl,
  untilPostgresAnswers,
} from '../postgres'
import type { Supervised } from '../supervise'
import type { Supervisor } from '../supervisor'
import { holdsServer, setStandbyAside, standbyDirOf, takePlace } from './standby-dir'

export interface StandbyOptions {
  /** The folder of the stack. */
  readonly dir: string
  /** The running server, and the program that it is. */
  readonly primary: PostgresOptions
  readonly server: Supervised
  readonly port: number
  readonly supervisor: Supervisor
  readonly environment: NodeJS.ProcessEnv
  readonly onProgress: (line: string) => void
}

export interface Standby {
  /**
   * Ends the server, if it still runs, and has the standby take its place: its port, and its folder. What the server
   * leaves is kept beside it. The promoted server runs without a standby until the next start.
   */
  promote(): Promise<void>
}

/** The name of the standby's connection to the primary, and of its slot, which keeps the log that it still needs. */
const standbyName = 'standby'
const startDeadlineMs = 60_000
const promoteMs = 20_000
const stopMs = 2_000

/**
 * Runs a second server that replays the log of the first as it is written. Once it does, a commit is acknowledged only
 * when it is on both disks, so that losing one loses no payment that was reported to anyone.
 */
export async function startStandby(given: StandbyOptions): Promise<Standby> {
  const { dir, primary, port, supervisor, environment, onProgress } = given
  const dataDir = standbyDirOf(dir)
  await withClient(postgresUrl(primary, 'postgres'), async (client) => {
    if (!(await hasSlot(client))) {
      setStandbyAside(dir, onProgress)
      await client.query('SELECT pg_create_physical_replication_slot($1, true)', [standbyName])
    }
    if (holdsServer(dataDir)) return
    onProgress('Copying the databases to a standby …')
    await copyPrimary(client, primary, dataDir)
  })
  const copy = { ...primary, dataDir, port }
  const [command, args] = postgresCommand(copy)
  const server = supervisor.keep('databases', {
    ...{ name: 'postgres-standby', command, args, env: environment },
    stopSignals: ['SIGINT', 'SIGQUIT'],
  })
  await untilPostgresAnswers(postgresUrl(copy, 'postgres'), startDeadlineMs, () =>
    supervisor.hasGivenUp(server),
  ).catch((error: unknown) => {
    throw supervisor.failure(server, error)
  })
  await withClient(postgresUrl(primary, 'postgres'), waitForStandby)
  return { promote: () => promote(given, server) }
}

/**
 * Stops the server from waiting for a standby at each commit. Unless `keepsCopy`, the log for the standby is no longer
 * kept either, and the standby's folder is set aside, because it will lack the commits from now on.
 */
export async function forgetStandby(
  { dir, primary, onProgress }: Pick<StandbyOptions, 'dir' | 'primary' | 'onProgress'>,
  { keepsCopy }: { readonly keepsCopy: boolean },
): Promise<void> {
  await withClient(postgresUrl(primary, 'postgres'), async (client) => {
    await resetSettings(client)
    if (keepsCopy) return
    await client.query(
      'SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1 AND NOT active',
      [standbyName],
    )
    setStandbyAside(dir, onProgress)
  })
}

/** Resets the settings by which a server waits for a standby, and a former standby's, which have a clear password. */
async function resetSettings(client: Client): Promise<void> {
  for (const name of [
    'synchronous_standby_names',
    'primary_conninfo',
    'primary_slot_name',
    'hot_standby_feedback',
  ]) {
    await client.query(`ALTER SYSTEM RESET ${name}`)
  }
  await client.query('SELECT pg_reload_conf()')
}

async function hasSlot(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM pg_replication_slots WHERE slot_name = $1 AND wal_status IN ('reserved', 'extended')`,
    [standbyName],
  )
  return rowCount === 1
}

/** The settings of the copy are in a file that its owner alone reads, as the password is one of them. */
async function copyPrimary(
  client: Client,
  primary: PostgresOptions,
  dataDir: string,
): Promise<void> {
  const partial = `${dataDir}.partial`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true, mode: 0o700 })
  await copyRunning(client, { from: primary.dataDir, to: partial, waitsForArchive: false })
  mkdirSync(join(partial, 'pg_wal/archive_status'), { recursive: true, mode: 0o700 })
  const { username, password } = new URL(postgresUrl(primary, 'postgres'))
  const at = `host=127.0.0.1 port=${String(primary.port)} user=${username} password=${password}`
  appendFileSync(
    join(partial, 'postgresql.auto.conf'),
    [
      `primary_conninfo = '${at} application_name=${standbyName}'`,
      `primary_slot_name = '${standbyName}'`,
      // The primary then vacuums away no row that an audit on the standby is reading.
      `hot_standby_feedback = on\n`,
    ].join('\n'),
  )
  writeFileSync(join(partial, 'standby.signal'), '', { mode: 0o600 })
  const below = readdirSync(partial, { recursive: true, withFileTypes: true })
  giveToPostgres([partial, ...below.map((entry) => join(entry.parentPath, entry.name))])
  renameSync(partial, dataDir)
}

/** Waits until the standby has all of the log, and then makes commits wait for it. */
async function waitForStandby(client: Client): Promise<void> {
  const deadline = performance.now() + startDeadlineMs
  await untilReplicates(client, `state = 'streaming'`, deadline)
  await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${standbyName}'`)
  await client.query('SELECT pg_reload_conf()')
  // The server reads its settings a moment later, and until then no commit waits.
  await untilReplicates(client, `sync_state = 'sync'`, deadline)
}

async function untilReplicates(client: Client, condition: string, deadline: number): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(
      `SELECT 1 FROM pg_stat_replication WHERE application_name = $1 AND ${condition}`,
      [standbyName],
    )
    if (rowCount === 1) return
    if (performance.now() > deadline) throw new Error('The standby does not replay the log')
    await wait(100)
  }
}

async function promote(given: StandbyOptions, standby: Supervised): Promise<void> {
  const { dir, primary, server, port, supervisor, environment, onProgress } = given
  onProgress('Ending the server, so that nothing is written there any more …')
  await server.stop(stopMs)
  onProgress('Promoting the standby …')
  await endRecovery(dir, postgresUrl({ ...primary, port }, 'postgres'), promoteMs)
  await standby.stop(stopMs)
  takePlace(dir)
  const { name, command, args, stopSignals } = server.program
  const promoted = supervisor.keep('databases', {
    name,
    command,
    args,
    env: environment,
    stopSignals,
  })
  await untilPostgresAnswers(postgresUrl(primary, 'postgres'), startDeadlineMs, () =>
    supervisor.hasGivenUp(promoted),
  ).catch((error: unknown) => {
    throw supervisor.failure(promoted, error)
  })
}

/** Ends the replay, so that the standby takes writes; one whose promotion was broken off takes them already. */
export async function endRecovery(dir: string, url: string, deadlineMs: number): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('SELECT pg_promote(true, $1) WHERE pg_is_in_recovery()', [
      deadlineMs / 1_000,
    ])
    const { rows } = await client.query<{ isStandby: boolean }>(
      'SELECT pg_is_in_recovery() AS "isStandby"',
    )
    if (rows[0]?.isStandby !== false) throw new Error('The standby was not promoted in time')
    await resetSettings(client)
    // The first backup made the lost server archive, perhaps after the standby was copied, so the setting may be
    // missing.
    if (existsSync(backupsOf(dir))) await startArchiving(client)
  })
}

async function withClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
