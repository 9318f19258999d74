import type { Pool } from 'pg'
import {
  claimDeliveries as decide,
  type WaitingEndpoint,
  deliveriesPerEndpointMax,
  type DeliveryAttempt,
  deliveryLeaseSeconds,
  type DeliveryStatus,
  judgeAttempt,
  postponedSeconds,
  type Verdict,
} from '../rules/delivery'
import { leaseSeconds } from '../../intents/rules/decide-claiming'
import { inTransaction, type Statement } from '../../database/transaction'
import type { Database } from '../../database/database'
import type { Prisma } from '../../database/generated/client'

/** Locks the endpoints with a due delivery, so that two claims at one moment do not exceed the bound of an endpoint. */
const lock: Statement = {
  name: 'lock_waiting_endpoints',
  text: `
    WITH RECURSIVE waiting AS (
      (SELECT d.endpoint_id FROM webhook_deliveries d WHERE d.next_action_at IS NOT NULL ORDER BY d.endpoint_id LIMIT 1)
      UNION ALL
      SELECT (
        SELECT d.endpoint_id FROM webhook_deliveries d
        WHERE d.next_action_at IS NOT NULL AND d.endpoint_id > w.endpoint_id ORDER BY d.endpoint_id LIMIT 1
      ) FROM waiting w WHERE w.endpoint_id IS NOT NULL
    ), due AS (
      SELECT w.endpoint_id FROM waiting w CROSS JOIN LATERAL (
        SELECT FROM webhook_deliveries d
        WHERE d.endpoint_id = w.endpoint_id AND d.next_action_at <= (SELECT clock_timestamp()) LIMIT 1
      ) one
    )
    SELECT e.id FROM webhook_endpoints e WHERE e.id IN (SELECT endpoint_id FROM due) AND e.off_at IS NULL
    FOR NO KEY UPDATE SKIP LOCKED`,
}

// A release below version 11 notes that an endpoint fails, and not that it is no longer quick.
const isQuick = `(e.is_quick AND e.failing_since IS NULL)`

/** The load is a separate statement, because it has to see what another claim leased before it released the locks. */
const load: Statement = {
  name: 'load_waiting_endpoints',
  text: `
    SELECT e.failing_since IS NOT NULL AS "isFailing", ${isQuick} AS "isQuick", (
      SELECT count(*)::int FROM webhook_deliveries l WHERE l.endpoint_id = e.id AND l.leased_until > (SELECT clock_timestamp())
    ) AS "inHand", ARRAY(
      SELECT d.id FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.next_action_at <= (SELECT clock_timestamp())
      ORDER BY d.next_action_at LIMIT $2
    ) AS due
    FROM webhook_endpoints e WHERE e.id = ANY ($1::text[]) ORDER BY random()`,
}

/** Counts what workers send to all endpoints that are not quick. Claims at one moment do not see each other's deliveries. */
const countSlow: Statement = {
  name: 'count_slow_deliveries',
  text: `
    SELECT count(*)::int AS "slowInHand" FROM webhook_deliveries l JOIN webhook_endpoints e ON e.id = l.endpoint_id
    WHERE l.leased_until > (SELECT clock_timestamp()) AND NOT ${isQuick}`,
}

/** Leases the deliveries that are still due, and skips those that another transaction has locked. */
const save: Statement = {
  name: 'lease_deliveries',
  text: `
    WITH due AS MATERIALIZED (
      SELECT d.id FROM webhook_deliveries d WHERE d.id = ANY ($1::text[]) AND d.next_action_at <= (SELECT clock_timestamp())
      FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE webhook_deliveries d SET
      next_action_at = clock_timestamp() + make_interval(secs => $2), leased_until = clock_timestamp() + make_interval(secs => $2)
    FROM due WHERE d.id = due.id
    RETURNING d.id`,
}

interface Id {
  readonly id: string
}

/** Leases deliveries that are due, a bounded number of each endpoint; returns their ids. */
export async function claimDeliveries(pool: Pool, limit: number): Promise<string[]> {
  return inTransaction(pool, async (transaction) => {
    const locked = await transaction.query<Id>(lock, [])
    if (locked.length === 0) return []
    const ids = locked.map(({ id }) => id)
    const [waiting, [slow]] = await Promise.all([
      transaction.query<WaitingEndpoint>(load, [ids, deliveriesPerEndpointMax]),
      transaction.query<{ readonly slowInHand: number }>(countSlow, []),
    ])
    const claimed = decide(waiting, limit, slow?.slowInHand ?? 0)
    if (claimed.length === 0) return []
    const leased = await transaction.commit<Id>(save, [claimed, leaseSeconds])
    return leased.map(({ id }) => id)
  })
}

export interface Message {
  readonly endpointId: string
  readonly eventId: string
  readonly type: string
  readonly subjectId: string
  readonly createdAt: Date
}

/**
 * Returns what to send, or undefined when the delivery has ended or its endpoint is off. The delivery is due again when
 * its lease ends, and after a longer wait each time that no result was recorded, so that a message that stops its worker
 * does so ever more rarely.
 */
export async function beginDelivery(
  db: Database,
  deliveryId: string,
): Promise<Message | undefined> {
  const rows = await db.$queryRaw<Message[]>`
    UPDATE webhook_deliveries d SET
      next_action_at = clock_timestamp()
        + make_interval(secs => ${deliveryLeaseSeconds} * 2 ^ least(d.unrecorded, 7)),
      leased_until = clock_timestamp() + make_interval(secs => ${deliveryLeaseSeconds}),
      unrecorded = d.unrecorded + 1
    FROM webhook_events v, webhook_endpoints e
    WHERE d.id = ${deliveryId} AND d.status = 'pending' AND v.id = d.event_id
      AND e.id = d.endpoint_id AND e.off_at IS NULL
    RETURNING d.endpoint_id AS "endpointId", d.event_id AS "eventId", v.type, v.subject_id AS "subjectId",
      v.created_at AS "createdAt"`
  return rows[0]
}

export interface Recorded {
  readonly status: DeliveryStatus
  readonly endpointId: string
  /** Undefined for a delivery that had ended before, or was not attempted. */
  readonly endpoint: Verdict['endpoint'] | undefined
}

/** Records how an attempt ended, and what follows for the delivery and its endpoint. Undefined for an unknown delivery. */
export async function recordDelivery(
  db: Database,
  deliveryId: string,
  attempt: DeliveryAttempt,
  { durationMs, chance }: { readonly durationMs: number; readonly chance: number },
): Promise<Recorded | undefined> {
  return db.$transaction(async (tx) => {
    const [known] = await tx.$queryRaw<Known[]>`
      SELECT d.status, d.attempts, d.endpoint_id AS "endpointId",
        coalesce(extract(epoch FROM clock_timestamp() - e.failing_since), 0)::float8 AS "failingSeconds"
      FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
      WHERE d.id = ${deliveryId} FOR NO KEY UPDATE OF d`
    if (known === undefined) return undefined
    const { endpointId } = known
    if (known.status !== 'pending') return { status: known.status, endpointId, endpoint: undefined }
    const { delivery, endpoint } = judgeAttempt(attempt, { ...known, durationMs, chance })
    const waitSeconds = delivery.status === 'pending' ? delivery.waitSeconds : null
    await tx.$executeRaw`
      UPDATE webhook_deliveries SET
        status = ${delivery.status}, attempts = attempts + 1, unrecorded = 0, leased_until = NULL,
        next_action_at = clock_timestamp() + make_interval(secs => ${waitSeconds}::float8),
        attempted_at = clock_timestamp(), duration_ms = ${durationMs}::int,
        answer_status = ${attempt.kind === 'answered' ? attempt.answerStatus : null}::int,
        failure = ${failureOf(attempt)}
      WHERE id = ${deliveryId}`
    await updateEndpoint(tx, endpointId, endpoint)
    return { status: delivery.status, endpointId, endpoint }
  })
}

/**
 * Makes a delivery due again that was begun and not sent. The wait grows each time, up to two minutes, because in an
 * outage all waiting deliveries would be begun over and over. Undefined for an unknown delivery.
 */
export async function postponeDelivery(
  db: Database,
  deliveryId: string,
): Promise<Recorded | undefined> {
  const { first, most } = postponedSeconds
  // Counted no further than the longest wait needs: the count also says how often a worker died with the message.
  const postponedMax = Math.log2(most / first)
  const [found] = await db.$queryRaw<Pick<Known, 'status' | 'endpointId'>[]>`
    WITH postponed AS (
      UPDATE webhook_deliveries SET leased_until = NULL, unrecorded = least(unrecorded, ${postponedMax}),
        next_action_at = clock_timestamp() + make_interval(
          secs => least(${first} * 2 ^ greatest(unrecorded - 1, 0), ${most})
        )
      WHERE id = ${deliveryId} AND status = 'pending'
    )
    SELECT status, endpoint_id AS "endpointId" FROM webhook_deliveries WHERE id = ${deliveryId}`
  return found && { ...found, endpoint: undefined }
}

interface Known {
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly endpointId: string
  readonly failingSeconds: number
}

function failureOf(attempt: DeliveryAttempt): string | null {
  if (attempt.kind === 'answered') return null
  return attempt.kind === 'unanswered' ? attempt.failure : attempt.kind
}

/** Writes to the row of an endpoint only when something changes, because claims lock that row. */
async function updateEndpoint(
  tx: Prisma.TransactionClient,
  endpointId: string,
  endpoint: Verdict['endpoint'],
): Promise<void> {
  switch (endpoint) {
    case 'quick':
    case 'slow':
      await tx.$executeRaw`
        UPDATE webhook_endpoints SET failing_since = NULL, is_quick = ${endpoint === 'quick'}
        WHERE id = ${endpointId} AND (failing_since IS NOT NULL OR is_quick <> ${endpoint === 'quick'})`
      return
    case 'not_working':
      await tx.$executeRaw`
        UPDATE webhook_endpoints SET failing_since = clock_timestamp()
        WHERE id = ${endpointId} AND failing_since IS NULL`
      return
    case 'removed':
    case 'gone':
    case 'failing':
      await tx.$executeRaw`
        UPDATE webhook_endpoints SET off_at = clock_timestamp(), off_because = ${endpoint}
        WHERE id = ${endpointId} AND off_at IS NULL`
  }
}
