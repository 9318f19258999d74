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
/** The first audit of an invariant checks this much of the past. */
const firstLookSeconds = 86_400
/** A stopping process waits at most this long for the query that runs. */
const stopMs = 500

/**
 * Audits every half minute, while payments go on, whether each invariant holds. An invariant is checked on what was
 * touched since it last held, and the database keeps that time. So a broken one is logged and counted again until it
 * holds, also by the next process, and the others do not read again what they have checked.
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

/**
 * The instant from which each invariant is checked. The first one is stored too, so that an invariant that never held
 * keeps being checked from there.
 */
async function readBeginnings(db: Database): Promise<(invariant: number) => DatabaseInstant> {
  const first = await instantAgo(db, firstLookSeconds)
  const marks = await readAuditMarks(db)
  const unmarked = invariants.flatMap(({ number }) => (marks.has(number) ? [] : [number]))
  if (unmarked.length > 0) await markHeld(db, unmarked, first)
  return (invariant) => marks.get(invariant) ?? first
}

/** `broken` has the numbers of the invariants that did not hold when they were last checked. */
function report({ number, statement, rows, examples }: Finding, broken: Set<number>, log: Log) {
  const invariant = String(number)
  if (rows === undefined) {
    notableEvents.inc({ name: 'invariant_unanswered' })
    // A broken invariant keeps its alert. For any other the metric is removed, because its last 0 may no longer be
    // true.
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
