import type { AttemptFacts } from '../domain/attempt'
import type { Instant } from '../domain/settlement/state'
import { micros } from './settlement/columns'

/** SQL of whether two operators closed the report of a subject. */
export function closed(subject: string): string {
  return `EXISTS (SELECT FROM report_closings k WHERE k.subject = ${subject} AND k.status = 'closed')`
}

/** SQL of the facts of the intent `i`, as a JSON object that `readAttempt` reads. */
export const attemptJson = `json_build_object(
        'intentId', i.id, 'status', i.status, 'event', i.event, 'rail', i.rail, 'phone', i.phone, 'cause', i.cause,
        'startedAt', ${micros('i.created_at')}, 'isEnded', i.ended_at IS NOT NULL,
        'settledAt', ${micros('i.settled_at')}, 'settledMinor', i.settled_minor::text, 'receipt', i.receipt,
        'disposition', i.disposition, 'isReceiptWanted', i.receipt_wanted, 'reportedAt', ${micros('i.reported_at')},
        'reports', CASE WHEN i.reported_at IS NOT NULL AND i.settled_at IS NULL THEN (
          SELECT json_agg(json_build_object(
            'hasReceipt', r.receipt <> '', 'isReceiptClosed', ${closed(`r.provider || ':' || r.receipt`)},
            'isIntentClosed', ${closed('r.intent_id')}
          )) FROM payment_reports r WHERE r.intent_id = i.id
        ) END,
        'isDeclinedByCallback', i.status = 'failed' AND (
          -- LIMIT: by the index of the intent, however small the inbox was when the plan was made.
          SELECT true FROM provider_messages m
          WHERE m.intent_id = i.id AND m.digest IS NOT NULL AND m.fact = 'declined'
            AND (m.kind = 'hint' OR m.strength = 'E3') LIMIT 1
        ) IS TRUE,
        'attemptReference', i.attempt_reference, 'queuedAt', ${micros('i.queued_at')},
        'submittedAt', ${micros('i.submitted_at')}, 'deadlineAt', ${micros('i.deadline_at')},
        'isPushUnanswered', i.status = 'submitted' AND (
          SELECT w.outcome FROM wire_attempts w WHERE w.intent_id = i.id LIMIT 1
        ) IS NOT DISTINCT FROM 'unknown'
      )`

type Absent = 'phone' | 'cause' | 'receipt' | 'disposition' | 'attemptReference' | 'reports'
type Time = 'settledAt' | 'reportedAt' | 'queuedAt' | 'submittedAt' | 'deadlineAt'

/** An object of `attemptJson`. The words are those of a CHECK in the database. */
export type AttemptJson = Omit<AttemptFacts, Absent | Time | 'startedAt' | 'settledMinor'> & {
  readonly [Name in Absent]: NonNullable<AttemptFacts[Name]> | null
} & Readonly<Record<Time, Instant | null>> & {
    readonly startedAt: Instant
    readonly settledMinor: string | null
  }

export function readAttempt(json: AttemptJson): AttemptFacts {
  return {
    ...json,
    phone: json.phone ?? undefined,
    cause: json.cause ?? undefined,
    receipt: json.receipt ?? undefined,
    disposition: json.disposition ?? undefined,
    attemptReference: json.attemptReference ?? undefined,
    reports: json.reports ?? [],
    settledMinor: json.settledMinor === null ? undefined : BigInt(json.settledMinor),
    startedAt: dateOf(json.startedAt),
    settledAt: dateIn(json.settledAt),
    reportedAt: dateIn(json.reportedAt),
    queuedAt: dateIn(json.queuedAt),
    submittedAt: dateIn(json.submittedAt),
    deadlineAt: dateIn(json.deadlineAt),
  }
}

/** Without the microseconds. */
export function dateOf(at: Instant): Date {
  return new Date(Math.floor(at / 1_000))
}

function dateIn(at: Instant | null): Date | undefined {
  return at === null ? undefined : dateOf(at)
}
