import type { Pool } from 'pg'
import { loadCheckouts } from '../../checkouts/store/checkouts'
import { inTransaction, type Statement } from '../../database/transaction'
import { writingEvents } from './write-events'

/** How soon a checkout is looked at again while a payment keeps it open past its expiry time. */
const lookAgainSeconds = 5

/**
 * Also locks the checkouts, and skips one that the start of a payment has locked: that start may still send a prompt.
 */
const lock: Statement = {
  name: 'lock_checkout_expiries',
  text: `
    SELECT e.checkout_id AS id FROM checkout_expiries e JOIN checkouts c ON c.id = e.checkout_id
    WHERE e.look_at <= (SELECT clock_timestamp()) ORDER BY e.look_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED`,
}

const lookAgain: Statement = {
  name: 'keep_checkout_expiries',
  text: `
    UPDATE checkout_expiries SET look_at = clock_timestamp() + make_interval(secs => $2) WHERE checkout_id = ANY ($1::text[])`,
}

export const writeExpired: Statement = {
  name: 'write_expired_events',
  text: `
    WITH ${writingEvents(`(SELECT 'checkout.expired' AS type, id AS checkout_id FROM unnest($1::text[]) id) e`)}
    SELECT count(*) FROM noticed`,
}

const forget: Statement = {
  name: 'forget_checkout_expiries',
  text: `DELETE FROM checkout_expiries WHERE checkout_id = ANY ($1::text[])`,
}

/**
 * Looks at up to `limit` checkouts whose time is up, writes `checkout.expired` for those that have expired, and returns
 * how many it looked at.
 */
export async function writeExpiries(pool: Pool, limit: number): Promise<number> {
  return inTransaction(pool, async (transaction) => {
    const due = await transaction.query<{ readonly id: string }>(lock, [limit])
    if (due.length === 0) return 0
    const checkouts = await loadCheckouts(
      transaction,
      due.map(({ id }) => id),
    )
    const idsOf = (wanted: boolean) =>
      checkouts
        .filter(({ status }) => (status === 'open') === wanted)
        .map(({ checkoutId }) => checkoutId)
    const expired = checkouts.filter(({ status }) => status === 'expired')
    await Promise.all([
      transaction.query(lookAgain, [idsOf(true), lookAgainSeconds]),
      transaction.query(writeExpired, [expired.map(({ checkoutId }) => checkoutId)]),
      transaction.query(forget, [idsOf(false)]),
    ])
    return due.length
  })
}

/** How long an event and its deliveries are kept: longer than any delivery is tried. */
const keptDays = 30

const forgetOld: Statement = {
  name: 'forget_old_events',
  text: `
    WITH old AS MATERIALIZED (
      SELECT id FROM webhook_events WHERE created_at < (SELECT clock_timestamp()) - make_interval(days => $1)
      ORDER BY created_at LIMIT $2
    ), deliveries AS (
      DELETE FROM webhook_deliveries d USING old WHERE d.event_id = old.id
    )
    DELETE FROM webhook_events e USING old WHERE e.id = old.id`,
}

/** Removes events that are too old, at most `limit`, with their deliveries. */
export async function forgetOldEvents(pool: Pool, limit: number): Promise<void> {
  await pool.query({ ...forgetOld, values: [keptDays, limit] })
}
