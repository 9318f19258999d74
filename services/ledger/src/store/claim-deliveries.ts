import type { Pool } from 'pg'
import { claimDeliveries as decide, type WaitingEndpoint } from '../domain/claim-deliveries'
import { deliveriesPerEndpointMax } from '../domain/delivery'
import { leaseSeconds } from '../domain/schedule'
import { inTransaction, type Statement } from './settlement/transaction'

/** The endpoints with a delivery that is due. Locked, so that two claims at one moment do not both count what is free. */
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
        WHERE d.endpoint_id = w.endpoint_id AND d.next_action_at <= clock_timestamp() LIMIT 1
      ) one
    )
    SELECT e.id FROM webhook_endpoints e WHERE e.id IN (SELECT endpoint_id FROM due) AND e.off_at IS NULL
    FOR NO KEY UPDATE SKIP LOCKED`,
}

/** A statement of its own, as it has to see what was claimed while the locks were held by another. */
const load: Statement = {
  name: 'load_waiting_endpoints',
  text: `
    SELECT e.failing_since IS NOT NULL AS "isFailing", (
      SELECT count(*)::int FROM webhook_deliveries l WHERE l.endpoint_id = e.id AND l.leased_until > clock_timestamp()
    ) AS "inHand", ARRAY(
      SELECT d.id FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.next_action_at <= clock_timestamp()
      ORDER BY d.next_action_at LIMIT $2
    ) AS due
    FROM webhook_endpoints e WHERE e.id = ANY ($1::text[]) ORDER BY random()`,
}

/** Leases what is still due. What another transaction changes at this moment is left to it. */
const save: Statement = {
  name: 'lease_deliveries',
  text: `
    WITH due AS MATERIALIZED (
      SELECT d.id FROM webhook_deliveries d WHERE d.id = ANY ($1::text[]) AND d.next_action_at <= clock_timestamp()
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

/** Leases deliveries that are due, a bounded number of each endpoint; answers their ids. */
export async function claimDeliveries(pool: Pool, limit: number): Promise<string[]> {
  return inTransaction(pool, async (transaction) => {
    const locked = await transaction.query<Id>(lock, [])
    if (locked.length === 0) return []
    const ids = locked.map(({ id }) => id)
    const waiting = await transaction.query<WaitingEndpoint>(load, [ids, deliveriesPerEndpointMax])
    const claimed = decide(waiting, limit)
    if (claimed.length === 0) return []
    const leased = await transaction.commit<Id>(save, [claimed, leaseSeconds])
    return leased.map(({ id }) => id)
  })
}
