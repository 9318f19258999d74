import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '@malipo/runtime/log'
import { auditedAt, notableEvents, invariantRows, levels } from '@malipo/runtime/metrics'
import { repeat } from '@malipo/runtime/repeat'
import type { Database } from '../database/database'
import { audit, type DatabaseInstant, type Finding, instantAgo, sealJournal } from './store/audit'
import { readLevels } from './store/levels'

export interface AuditLedgerDeps {
  readonly db: Database
  readonly log: Log
  readonly everySeconds: number
}

/** The pause between two queries leaves the database to the other work. */
const restMs = 20
/** How far back the first look of a process reaches. */
const firstLookSeconds = 86_400
/** A process that stops waits this long, and no longer, for a question that is being answered. */
const stopMs = 500

/**
 * Asks the ledger every half a minute whether all that must hold does, while payments go on: of the last day at first,
 * and then of what was touched since the last look that found nothing. So whatever is found is logged and counted again
 * until it is gone.
 */
export function startAuditing({ db, log, everySeconds }: AuditLedgerDeps): {
  stop: () => Promise<void>
} {
  let since: DatabaseInstant | undefined
  const broken = new Set<number>()
  const round = async () => {
    const startedAt = await instantAgo(db, 0)
    since ??= await instantAgo(db, firstLookSeconds)
    await sealJournal(db)
    const findings = await audit(db, since, () => wait(restMs))
    for (const finding of findings) report(finding, broken, log)
    for (const [name, value] of Object.entries(await readLevels(db))) levels.set({ name }, value)
    if (findings.every(({ rows }) => rows === 0)) since = startedAt
    if (findings.every(({ rows }) => rows !== undefined)) auditedAt.setToCurrentTime()
  }
  const repeated = repeat({ what: 'audit', everyMs: everySeconds * 1_000, log }, round)
  return {
    stop: () => Promise.race([repeated.stop(), wait(stopMs, undefined, { ref: false })]),
  }
}

/** `broken` has the numbers of those that did not hold when they were last answered. */
function report({ number, statement, rows, examples }: Finding, broken: Set<number>, log: Log) {
  const invariant = String(number)
  if (rows === undefined) {
    notableEvents.inc({ name: 'invariant_unanswered' })
    // What was found keeps its alert, and what held before does not count as holding now.
    if (!broken.has(number)) invariantRows.remove({ invariant })
    log.warn({ invariant, statement }, 'an invariant was not answered')
    return
  }
  invariantRows.set({ invariant }, rows)
  broken.delete(number)
  if (rows === 0) return
  broken.add(number)
  log.error({ invariant, statement, rows, examples }, 'an invariant does not hold')
}
