import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '@malipo/runtime/log'
import { auditedAt, notableEvents, invariantRows, levels } from '@malipo/runtime/metrics'
import { repeat } from '@malipo/runtime/repeat'
import type { Database } from '../database/database'
import {
  audit,
  type DatabaseInstant,
  type Finding,
  instantAgo,
  invariants,
  sealJournal,
} from './store/audit'
import { markHeld, readAuditMarks } from './store/audit-marks'
import { readLevels } from './store/levels'

export interface AuditLedgerDeps {
  readonly db: Database
  readonly log: Log
  readonly everySeconds: number
}

/** The pause between two queries leaves the database to the other work. */
const restMs = 20
/** How far back the first look for an invariant reaches. */
const firstLookSeconds = 86_400
/** A process that stops waits this long, and no longer, for a question that is being answered. */
const stopMs = 500

/**
 * Asks the ledger every half a minute whether all that must hold does, while payments go on. Each invariant is asked of
 * what was touched since it last held, which the database keeps. So what is found is logged and counted again until it
 * is gone, also by the next process, and does not make the others read again what they have seen.
 */
export function startAuditing({ db, log, everySeconds }: AuditLedgerDeps): {
  stop: () => Promise<void>
} {
  const broken = new Set<number>()
  let isStopped = false
  const rest = async () => {
    await wait(restMs)
    return !isStopped
  }
  const round = async () => {
    const startedAt = await instantAgo(db, 0)
    const sinceOf = await readBeginnings(db)
    await sealJournal(db)
    const findings = await audit(db, sinceOf, rest)
    if (isStopped) return
    for (const finding of findings) report(finding, broken, log)
    for (const [name, value] of Object.entries(await readLevels(db))) levels.set({ name }, value)
    const held = findings.filter(({ touched }) => touched === 0).map(({ number }) => number)
    await markHeld(db, held, startedAt)
    if (findings.every(({ rows }) => rows !== undefined)) auditedAt.setToCurrentTime()
  }
  const repeated = repeat({ what: 'audit', everyMs: everySeconds * 1_000, log }, round)
  return {
    stop: () => {
      isStopped = true
      return Promise.race([repeated.stop(), wait(stopMs, undefined, { ref: false })])
    },
  }
}

/** Where the audit of each invariant goes on. The first beginning is kept too: one that never holds is not lost either. */
async function readBeginnings(db: Database): Promise<(invariant: number) => DatabaseInstant> {
  const first = await instantAgo(db, firstLookSeconds)
  const marks = await readAuditMarks(db)
  const unmarked = invariants.flatMap(({ number }) => (marks.has(number) ? [] : [number]))
  if (unmarked.length > 0) await markHeld(db, unmarked, first)
  return (invariant) => marks.get(invariant) ?? first
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
