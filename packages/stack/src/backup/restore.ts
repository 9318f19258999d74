import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Country } from '@malipo/kernel/countries'
import { Client } from 'pg'
import { smallMachine } from '../databases'
import { firstCell } from '@malipo/kernel/cells'
import { acceptCopy, copyMarkFileOf } from '../operations/restored'
import { giveToPostgres, openPostgres } from '../postgres'
import { readSecrets } from '../secrets'
import { type AboutBackup, archiveOf, dataOf, readAbout } from './about'
import { type ArchivedLog, restoreCommand } from './archive'
import { verify } from './take-backup'

export interface RestoreOptions {
  readonly backup: string
  /** The moment to restore; absent: the last that was archived. */
  readonly to: Date | undefined
  /** A folder that is not there yet, or empty. */
  readonly into: string
  /** The folder with `secrets.json` and `marks`, which no backup holds; absent: the one that the backup was made of. */
  readonly stackDir: string | undefined
  readonly onProgress: (line: string) => void
}

export interface Restored {
  /** When the last replayed transaction was committed; absent where nothing was written since the backup began. */
  readonly lastCommitAt: Date | undefined
}

const countries: readonly Country[] = ['ke', 'ug']
/** The deadline of a replay. A day of payments is replayed in less. */
const replayMs = 3_600_000

/**
 * Makes a stack folder, which `npm start -- --dir INTO` runs, from a backup and the log archived since, as of a moment.
 * The backup and the log are only read. Throws before it writes anything if the backup or the log is incomplete, and
 * removes the new folder if it fails later.
 */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { backup, into, to, onProgress } = options
  const about = readAbout(backup)
  refuseInto(into)
  const stackDir = options.stackDir ?? about.stackDir
  const kept = findKept(stackDir)
  onProgress('Checking the backup …')
  refuseTime(backup, about, to)
  refuseGap(await verify(backup, archiveOf(backup), about), to)
  onProgress(`Copying it into ${into} …`)
  const dataDir = join(into, 'postgres')
  try {
    mkdirSync(into, { recursive: true, mode: 0o700 })
    copyData(backup, dataDir)
    for (const [from, name] of kept) {
      mkdirSync(join(into, name, '..'), { recursive: true, mode: 0o700 })
      copyFileSync(from, join(into, name))
    }
    onProgress('Replaying the archived log …')
    const restored = await replay({ dataDir, backup, to, into })
    const at = to ?? restored.lastCommitAt
    for (const place of markedIn(into)) {
      acceptCopy(into, place, `restored from ${backup} to ${at?.toISOString() ?? 'its end'}`)
    }
    return restored
  } catch (error) {
    rmSync(into, { recursive: true, force: true })
    throw error
  }
}

function refuseInto(into: string): void {
  if (existsSync(into) && readdirSync(into).length > 0) {
    throw new Error(
      `${into} is not empty: restore into a new folder, so that nothing is overwritten`,
    )
  }
}

/** The country and cell of each ledger that has a copy mark in this folder. */
function markedIn(dir: string) {
  return countries.flatMap((country) =>
    [firstCell, 1]
      .filter((cell) => existsSync(join(dir, copyMarkFileOf('', country, cell))))
      .map((cell) => ({ country, cell })),
  )
}

/** What a restored stack needs and no backup has: secrets, and the marks by which numbers are not given out twice. */
function findKept(stackDir: string): [from: string, name: string][] {
  const marks = [
    ...countries.map((country) => ({ country, cell: firstCell })),
    ...markedIn(stackDir),
  ]
  const paths = marks.map(({ country, cell }) => copyMarkFileOf('', country, cell))
  const names = ['secrets.json', ...new Set(paths)]
  return names.map((name) => {
    const from = join(stackDir, name)
    if (!existsSync(from)) {
      throw new Error(
        `${from} is not there, and no backup holds it: name the folder that has secrets.json and marks with --stack`,
      )
    }
    return [from, name]
  })
}

/** Throws for a moment before the end of the backup, or in the future. */
function refuseTime(backup: string, about: AboutBackup, to: Date | undefined): void {
  if (to !== undefined && to < new Date(about.completedAt)) {
    throw new Error(
      `${backup} can be restored from ${about.completedAt} on: for ${to.toISOString()} name an older backup`,
    )
  }
  if (to !== undefined && to.getTime() > Date.now()) {
    throw new Error(
      `${to.toISOString()} has not been yet: leave --to out for the last that was archived`,
    )
  }
}

function refuseGap({ segments, unreachable }: ArchivedLog, to: Date | undefined): void {
  if (to !== undefined || unreachable.length === 0) return
  throw new Error(
    `The archive has a gap after ${segments.at(-1) ?? ''}, or the log of two servers: ${String(unreachable.length)} segments cannot be replayed. Name a moment before it with --to, or a newer backup`,
  )
}

function copyData(backup: string, dataDir: string): void {
  cpSync(dataOf(backup), dataDir, { recursive: true })
  // Node 24 copies a folder without its mode, and PostgreSQL refuses one that others may read.
  chmodSync(dataDir, 0o700)
  rmSync(join(dataDir, 'backup_manifest'))
  mkdirSync(join(dataDir, 'pg_wal/archive_status'), { recursive: true, mode: 0o700 })
  writeFileSync(join(dataDir, 'recovery.signal'), '')
  const below = readdirSync(dataDir, { recursive: true, withFileTypes: true })
  giveToPostgres([dataDir, ...below.map((entry) => join(entry.parentPath, entry.name))])
}

interface Replay {
  readonly dataDir: string
  readonly backup: string
  readonly to: Date | undefined
  readonly into: string
}

/** Runs the server on the copy until it has replayed the log and takes writes, and ends it cleanly. */
async function replay({ dataDir, backup, to, into }: Replay): Promise<Restored> {
  const { postgresPassword: password } = readSecrets(into)
  const settings = {
    ...smallMachine,
    archive_mode: 'off',
    // The backup of a stack with a standby names that standby here, and a commit would wait for it.
    synchronous_standby_names: '',
    // The server takes no connection before the end of the log, so the first one means that all of it is replayed.
    hot_standby: 'off',
    restore_command: restoreCommand(archiveOf(backup)),
    // The replay follows promotions: payments since the last one are on the newest timeline only.
    recovery_target_timeline: 'latest',
    recovery_target_action: 'promote',
    ...(to && { recovery_target_time: to.toISOString().replace('T', ' ').replace('Z', '+00') }),
  }
  const server = await openPostgres({ dataDir, password, settings, startMs: replayMs }).catch(
    (error: unknown) => {
      throw new Error(whyNot(String(error), to), { cause: error })
    },
  )
  const client = new Client({ connectionString: server.url('postgres') })
  try {
    await client.connect()
    const { rows } = await client.query<{ at: Date | null }>(
      'SELECT pg_last_xact_replay_timestamp() AS at',
    )
    // archive-wal.sh fails where this is set and there is no archive: the new folder has none before its first backup.
    await client.query('ALTER SYSTEM RESET archive_timeout')
    await endSessions(server.url('accounts'))
    return { lastCommitAt: rows[0]?.at ?? undefined }
  } finally {
    await client.end()
    await server.stop()
  }
}

const endSessionsMs = 60_000

/** Ends all sign-in sessions: some may have been ended after the restored moment, and would be open again. */
async function endSessions(accountsUrl: string): Promise<void> {
  const client = new Client({ connectionString: accountsUrl, query_timeout: endSessionsMs })
  // The failed query gives the reason; without a listener this event would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('UPDATE sign_in_sessions SET ended_at = now() WHERE ended_at IS NULL')
  } finally {
    await client.end()
  }
}

function whyNot(logged: string, to: Date | undefined): string {
  const isTooLate = logged.includes('recovery ended before configured recovery target was reached')
  const [, last] = /last completed transaction was at log time ([^\n]+)/.exec(logged) ?? []
  if (!isTooLate || to === undefined) return `The archived log was not replayed. ${logged}`
  return `The archive does not reach ${to.toISOString()}: its last transaction was at ${last ?? 'an unknown time'}. Leave --to out to restore that`
}
