import { intentMachine } from '../../intents/rules/intent'
import { detachedUntil, type Invariant, since, touched } from './invariant'

/** The steps that the table of intents allows, as `from event to`. */
const steps = Object.entries(intentMachine).flatMap(([from, row]) =>
  Object.entries(row).flatMap(([event, to]) =>
    to === null || to === from ? [] : [`${from} ${event} ${to}`],
  ),
)
const allSteps = ['none accepted created', 'none matched completed', ...steps]
const quoted = allSteps.map((step) => `'${step}'`).join(', ')

const inFlight = `('created', 'reserved', 'submitted', 'pending')`

/** The statuses of attempts and checkouts, and the steps that led there: numbers 17 to 22. */
export const stateInvariants: readonly Invariant[] = [
  {
    number: 17,
    statement: 'every step is in the table, the steps join, and the last is where the intent is',
    query: `
      SELECT coalesce(i.id, walked.intent_id) AS who
      FROM (SELECT id, status, created_at FROM intents WHERE id IN ${touched}) i
      -- One FULL JOIN finds both: a query for steps without an intent, and one for intents without a step, would each
      -- read all steps again.
      FULL JOIN (
        SELECT intent_id, from_status, event, to_status,
          lag(to_status, 1, 'none') OVER intent AS came_from,
          lead(step) OVER intent IS NULL AS is_last
        FROM touched_steps
        WINDOW intent AS (PARTITION BY intent_id ORDER BY step)
      ) walked ON walked.intent_id = i.id
      WHERE i.id IS NULL
        OR (walked.intent_id IS NULL AND i.created_at >= ${detachedUntil})
        OR from_status || ' ' || walked.event || ' ' || to_status NOT IN (${quoted})
        -- The steps before the first one here may be in a detached file; the audit of the files compares the two.
        OR (from_status <> came_from AND NOT (came_from = 'none' AND i.created_at < ${detachedUntil}))
        OR (is_last AND to_status <> i.status)`,
  },
  {
    number: 18,
    statement: 'nothing follows reversed, and only that follows completed',
    query: `
      SELECT intent_id AS who FROM intent_steps
      WHERE at >= ${since} AND (from_status = 'reversed' OR (from_status = 'completed' AND to_status <> 'reversed'))`,
  },
  {
    number: 19,
    statement: 'whoever has money has a receipt and a time, and nobody else',
    query: `
      SELECT id AS who FROM intents
      WHERE id IN ${touched} AND num_nonnulls(settled_minor, receipt, settled_at, disposition)
        <> CASE WHEN status IN ('completed', 'reversed') THEN 4 ELSE 0 END`,
  },
  {
    number: 20,
    statement: 'a checkout has at most one intent in flight',
    query: `
      SELECT checkout_id AS who FROM intents WHERE ended_at IS NULL AND checkout_id IS NOT NULL
      GROUP BY checkout_id HAVING count(*) > 1`,
  },
  {
    number: 21,
    statement:
      'no intent waits past its deadline; one reported as paid waits for its hold, and does not fail',
    query: `
      SELECT id AS who FROM intents
      WHERE ended_at IS NULL AND (deadline_at IS NULL OR deadline_at < (SELECT clock_timestamp()) - interval '30 seconds')
      UNION ALL
      SELECT id FROM intents WHERE ended_at IS NULL AND deadline_at < held_until
      UNION ALL
      SELECT id FROM intents WHERE id IN ${touched} AND reported_at < ended_at
        AND (status = 'failed' OR (status = 'expired' AND ended_at < held_until))`,
  },
  {
    number: 22,
    statement: 'a checkout reads open by an attempt that is in flight, and by no other',
    query: `
      SELECT id AS who FROM intents WHERE id IN ${touched} AND (ended_at IS NULL) <> (status IN ${inFlight})`,
  },
]
