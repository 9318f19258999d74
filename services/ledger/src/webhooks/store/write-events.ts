import type { Statement } from '../../database/transaction'

/**
 * In the WHERE of a statement that writes its own events, this makes the trigger `intents_tell_of_change` stand aside.
 * The trigger writes the events of releases below version 3. Both are removed when the floor is 3.
 */
export const eventsAreWritten = `(SELECT set_config('malipo.events', 'written', true)) IS NOT NULL`

const eventsOf = (json: string) => `jsonb_to_recordset(${json}) e (type TEXT, checkout_id TEXT)`

// LIMIT here, and OFFSET below, keep a plan that was made while a table was small from reading it whole.
const checkout = `CROSS JOIN LATERAL (SELECT account_id FROM checkouts WHERE id = e.checkout_id LIMIT 1) c`
// An endpoint that is off because it failed also gets events: they wait, and are sent once it is switched on.
const isNotified = `(
        SELECT true FROM webhook_endpoints w
        WHERE w.account_id = c.account_id AND (w.off_because IS NULL OR w.off_because = 'failing') LIMIT 1
      )`

/**
 * Whether an account of the events `json` has an endpoint that gets them, which few have. The events are written by a
 * second statement only then: a statement that may write to a table opens all of its indexes, which would cost each
 * settlement more than this look.
 */
export function areNotified(json: string): string {
  return `(SELECT true FROM ${eventsOf(json)} ${checkout} WHERE ${isNotified} LIMIT 1)`
}

/**
 * Parts of a statement that write what was decided: events of checkouts, each with a delivery to every endpoint of the
 * account that is on or failed, and nothing for an account without one. `source` is a FROM item `e` with a `type`, which
 * may be null, and a `checkout_id`, which is null for an intent without a checkout.
 */
export function writingEvents(source: string): string {
  return `noticed AS (
      INSERT INTO webhook_events (id, account_id, type, subject_id)
      SELECT webhook_id('evt_'), c.account_id, e.type, e.checkout_id
      FROM ${source} ${checkout}
      WHERE e.type IS NOT NULL AND ${isNotified}
      RETURNING id, account_id
    ), delivered AS (
      INSERT INTO webhook_deliveries (id, event_id, endpoint_id, next_action_at)
      SELECT webhook_id('wd_'), noticed.id, w.id, clock_timestamp() FROM noticed
      CROSS JOIN LATERAL (
        SELECT id FROM webhook_endpoints
        WHERE account_id = noticed.account_id AND (off_because IS NULL OR off_because = 'failing') OFFSET 0
      ) w
    )`
}

export const writeEvents: Statement = {
  name: 'write_events',
  text: `WITH ${writingEvents(eventsOf('$1::jsonb'))} SELECT count(*) FROM noticed`,
}
