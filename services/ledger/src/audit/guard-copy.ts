import { setTimeout as wait } from 'node:timers/promises'
import { oncePresent } from '@malipo/runtime/database'
import { NotReady } from '@malipo/runtime/health'
import type { Log } from '@malipo/runtime/log'
import { repeat } from '@malipo/runtime/repeat'
import type { Config } from '../config'
import { assumeSent, type AssumeSentOptions } from './store/assume-sent'
import {
  type CopyMark,
  endAcceptance,
  isAccepted,
  isMarkedWithin,
  missingOf,
  passOverPlaces,
  readMark,
  readMarkFile,
  takeTurn,
  writeMarkFile,
} from './store/copy-mark'
import type { SharedDatabase } from '../database/database'

interface GuardCopyDeps extends AssumeSentOptions {
  readonly database: Pick<SharedDatabase, 'db' | 'pool'>
  /** A file outside the database and not on its disk, so that no restore of the database brings an older one back. */
  readonly file: string
  readonly log: Log
}

const everyMs = 1_000

export interface CopyGuard {
  /** The check of readiness: rejects with the reason while the database is an older copy. */
  check(): Promise<void>
  /** Resolves once the database has all that was marked, or a ledger has acted on an operator's acceptance. */
  untilCurrent(): Promise<void>
  /**
   * Records each second how far the database has come, and ends the process once the database lacks what was recorded.
   */
  start(): { stop: () => Promise<void> }
}

/** Opens the guard of a ledger. Without a file, the guard marks nothing and always lets pass. */
export function openCopyGuard(
  database: Pick<SharedDatabase, 'db' | 'pool'>,
  { copyMarkFile: file, ...times }: Pick<Config, 'copyMarkFile' | keyof AssumeSentOptions>,
  log: Log,
): CopyGuard {
  if (file !== undefined) return guardCopy({ database, file, log, ...times })
  log.info('an older copy of the database would not be noticed: COPY_MARK_FILE is not set')
  const done = () => Promise.resolve()
  return { check: done, untilCurrent: done, start: () => ({ stop: done }) }
}

/**
 * Notices that the database is an older copy of itself, such as one restored from a backup. Receipts that it lacks would be
 * posted again, Pay Bill numbers given to other checkouts and prompts sent twice, so no work is taken until an operator has
 * accepted it.
 */
function guardCopy({ database, file, log, ...times }: GuardCopyDeps): CopyGuard {
  const { db, pool } = database
  let marked: CopyMark | undefined
  let missing: string | undefined
  const compare = async () => {
    marked = readMarkFile(file)
    missing = marked && (await missingOf(pool, marked))
  }
  const markNow = async () => {
    marked = await readMark(pool, marked)
    await writeMarkFile(file, marked)
  }
  // An acceptance counts also where nothing marked is missing: the last second before a loss was not marked. It does
  // not count while another ledger writes the mark each second: that one serves this copy, so what waits to be sent in
  // it was never sent.
  const isToAccept = async () =>
    isAccepted(file) && (missing !== undefined || !(await isMarkedWithin(file, 5 * everyMs)))
  const accept = async (lost: CopyMark) => {
    const places = await passOverPlaces(db, lost)
    const assumed = await assumeSent(database, times)
    log.warn({ missing, places, ...assumed }, 'an older copy of the database was accepted')
    missing = undefined
    marked = undefined
  }
  const becomeCurrent = async () => {
    const before = missing
    await compare()
    if (missing !== undefined && before === undefined) log.error({ missing }, reasonOf(missing))
    if (marked !== undefined && (await isToAccept())) await accept(marked)
    if (missing !== undefined) return false
    // The mark is written after the acceptance was acted on, and the acceptance is removed last: if this ledger ends
    // midway, another one acts on it again.
    await markNow()
    endAcceptance(file)
    return true
  }
  return {
    async check() {
      await Promise.resolve()
      if (missing !== undefined) throw new NotReady(reasonOf(missing))
    },
    async untilCurrent() {
      while (!(await oncePresent(() => takeTurn(pool, becomeCurrent)))) await wait(everyMs / 2)
    },
    start: () =>
      repeat({ what: 'mark how far the database is', everyMs, log }, async () => {
        missing = marked && (await missingOf(pool, marked))
        if (missing === undefined) {
          await markNow()
          // Left in place, the acceptance would silently accept an older copy that is restored later.
          if (isAccepted(file))
            log.warn('this database is no older copy; its acceptance is removed')
          endAcceptance(file)
          return
        }
        // What this process is doing belongs to a database that is gone. Started again, the process waits for an
        // operator.
        log.fatal({ missing }, reasonOf(missing))
        process.kill(process.pid, 'SIGTERM')
      }),
  }
}

function reasonOf(missing: string): string {
  return `the database is an older copy: ${missing}; see docs/runbooks/process-not-ready.md`
}
