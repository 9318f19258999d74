import { type DeliveryStatus, resentMax, type WebhookOff } from '../rules/delivery'
import type { Database } from '../../database/database'

export interface OwnEndpoint {
  readonly accountId: string
  readonly endpointId: string
}

/** Registers an endpoint, or switches it on again; false when it is another account's, or was removed. */
export async function switchWebhookOn(db: Database, own: OwnEndpoint): Promise<boolean> {
  const kept = await db.$executeRaw`
    INSERT INTO webhook_endpoints AS e (id, account_id) VALUES (${own.endpointId}, ${own.accountId})
    ON CONFLICT (id) DO UPDATE SET off_at = NULL, off_because = NULL, failing_since = NULL, is_quick = false
    WHERE e.account_id = ${own.accountId} AND e.off_because IS DISTINCT FROM 'removed'`
  return kept > 0
}

export async function removeWebhook(db: Database, own: OwnEndpoint): Promise<void> {
  await db.$executeRaw`
    UPDATE webhook_endpoints SET off_at = clock_timestamp(), off_because = 'removed'
    WHERE id = ${own.endpointId} AND account_id = ${own.accountId} AND off_because IS DISTINCT FROM 'removed'`
}

export interface WebhookState {
  readonly endpointId: string
  readonly offAt: Date | null
  readonly offBecause: WebhookOff | null
  readonly failingSince: Date | null
}

/** The states of those endpoints of an account that were not removed. */
export async function listStates(db: Database, accountId: string): Promise<WebhookState[]> {
  return db.$queryRaw<WebhookState[]>`
    SELECT id AS "endpointId", off_at AS "offAt", off_because AS "offBecause", failing_since AS "failingSince"
    FROM webhook_endpoints WHERE account_id = ${accountId} AND off_because IS DISTINCT FROM 'removed'`
}

export interface Delivery {
  readonly deliveryId: string
  readonly endpointId: string
  readonly type: string
  readonly subjectId: string
  readonly createdAt: Date
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly attemptedAt: Date | null
  readonly answerStatus: number | null
  readonly failure: string | null
  readonly durationMs: number | null
  readonly nextAttemptAt: Date | null
}

const shownMax = 50

/** The newest deliveries to the endpoints of an account that were not removed. */
export async function listDeliveries(db: Database, accountId: string): Promise<Delivery[]> {
  return db.$queryRaw<Delivery[]>`
    SELECT d.id AS "deliveryId", d.endpoint_id AS "endpointId", v.type, v.subject_id AS "subjectId",
      d.created_at AS "createdAt", d.status, d.attempts, d.attempted_at AS "attemptedAt",
      d.answer_status AS "answerStatus", d.failure, d.duration_ms AS "durationMs",
      CASE WHEN e.off_at IS NULL THEN d.next_action_at END AS "nextAttemptAt"
    FROM webhook_endpoints e
    CROSS JOIN LATERAL (
      SELECT * FROM webhook_deliveries d WHERE d.endpoint_id = e.id ORDER BY d.created_at DESC LIMIT ${shownMax}
    ) d
    JOIN webhook_events v ON v.id = d.event_id
    WHERE e.account_id = ${accountId} AND e.off_because IS DISTINCT FROM 'removed'
    ORDER BY d.created_at DESC, d.id LIMIT ${shownMax}`
}

/**
 * Writes a test event with a delivery to one endpoint. A test event that waits for the endpoint is made due now instead, so
 * that presses cannot pile up. False when the account has no such endpoint that is on.
 */
export async function sendTestEvent(
  db: Database,
  { accountId, endpointId }: OwnEndpoint,
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    // The lock makes the second of two calls at one moment see the event of the first.
    const [endpoint] = await tx.$queryRaw<unknown[]>`
      SELECT id FROM webhook_endpoints
      WHERE id = ${endpointId} AND account_id = ${accountId} AND off_at IS NULL FOR NO KEY UPDATE`
    if (endpoint === undefined) return false
    await tx.$executeRaw`
      WITH waiting AS (
        SELECT d.id FROM webhook_deliveries d JOIN webhook_events v ON v.id = d.event_id
        WHERE d.endpoint_id = ${endpointId} AND d.next_action_at IS NOT NULL AND v.type = 'webhook.test'
      ), due AS (
        UPDATE webhook_deliveries d SET attempts = 0, unrecorded = 0, next_action_at = clock_timestamp(), leased_until = NULL
        FROM waiting w WHERE d.id = w.id AND (d.leased_until IS NULL OR d.leased_until <= (SELECT clock_timestamp()))
      ), event AS (
        INSERT INTO webhook_events (id, account_id, type, subject_id)
        SELECT webhook_id('evt_'), ${accountId}, 'webhook.test', ${endpointId}
        WHERE NOT EXISTS (SELECT FROM waiting)
        RETURNING id
      )
      INSERT INTO webhook_deliveries (id, event_id, endpoint_id, next_action_at)
      SELECT webhook_id('wd_'), id, ${endpointId}, clock_timestamp() FROM event`
    return true
  })
}

/**
 * Makes a delivery due again and counts its attempts from zero. A delivery that a worker is sending stays as it is, and the
 * answer is true all the same. False when the account has no such delivery, or its endpoint is off.
 */
export async function resendDelivery(
  db: Database,
  accountId: string,
  deliveryId: string,
): Promise<boolean> {
  const [found] = await db.$queryRaw<{ readonly id: string }[]>`
    WITH own AS (
      SELECT d.id FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
      WHERE d.id = ${deliveryId} AND e.account_id = ${accountId} AND e.off_at IS NULL
    ), resent AS (
      UPDATE webhook_deliveries d SET status = 'pending', attempts = 0, unrecorded = 0,
        next_action_at = clock_timestamp(), leased_until = NULL
      FROM own WHERE d.id = own.id AND (d.leased_until IS NULL OR d.leased_until <= (SELECT clock_timestamp()))
    )
    SELECT id FROM own`
  return found !== undefined
}

/**
 * Makes the deliveries due again that an endpoint was sent since a time and did not take, the oldest first. Those that a
 * worker is sending or that are due for the first time stay as they are. Returns how many, or undefined when the account
 * has no such endpoint that is on.
 */
export async function resendSince(
  db: Database,
  own: OwnEndpoint,
  since: Date,
): Promise<number | undefined> {
  const [found] = await db.$queryRaw<{ readonly resent: number }[]>`
    WITH endpoint AS (
      SELECT id FROM webhook_endpoints
      WHERE id = ${own.endpointId} AND account_id = ${own.accountId} AND off_at IS NULL
    ), failed AS (
      SELECT d.id FROM webhook_deliveries d JOIN endpoint e ON e.id = d.endpoint_id
      WHERE d.created_at >= ${since} AND d.status <> 'delivered'
        AND (d.status = 'given_up' OR d.attempts > 0 OR d.unrecorded > 0)
        AND (d.leased_until IS NULL OR d.leased_until <= (SELECT clock_timestamp()))
      ORDER BY d.created_at LIMIT ${resentMax}
      FOR NO KEY UPDATE OF d SKIP LOCKED
    ), resent AS (
      UPDATE webhook_deliveries d SET status = 'pending', attempts = 0, unrecorded = 0,
        next_action_at = clock_timestamp(), leased_until = NULL
      FROM failed WHERE d.id = failed.id RETURNING d.id
    )
    SELECT (SELECT count(*) FROM resent)::int AS resent FROM endpoint`
  return found?.resent
}
