import { providerOfRail } from '../../journal/store/receipts'

/** What must hold of the money at every moment, as a query that returns no rows. */
export interface Invariant {
  /** 1 to 32, as metrics and runbooks name it. */
  readonly number: number
  readonly statement: string
  /**
   * One column `who`, and a row for each thing that breaks the invariant. The query checks only what was touched since
   * an instant (`since`), unless it reads little anyway.
   */
  readonly query: string
  /**
   * A further query, of what is open now, however old it is. It finds the same at any instant, so what it finds does
   * not keep the next audit from starting at a later instant.
   */
  readonly openQuery?: string
}

/**
 * An audit reaches this far behind the end of the last one, for rows that were being written then and the rows they are
 * compared with.
 */
const overlap = `interval '1 minute'`

/**
 * SQL of the instant, the one parameter of the queries. It is compared as it stands, and not as the column of a row:
 * only for a value does the planner know that few rows are younger; for a column it expects a third of the table and
 * reads it whole.
 */
export const since = `($1::timestamptz - ${overlap})`

/** Before this the steps of finished payments may be in detached files. */
export const detachedUntil = `(SELECT coalesce(max(until_at), '-infinity') FROM detached_months)`

/**
 * SQL of the intents whose status changed: each change writes a step. Placing held money writes one only for the new
 * intent.
 */
export const touched = '(SELECT intent_id FROM touched)'
/** The touched intents, and those whose status changed up to a minute earlier. */
export const touchedBefore = '(SELECT intent_id FROM touched_before)'
export const touchedCheckouts = '(SELECT checkout_id FROM touched_checkouts)'

/**
 * The tables that `touched`, `touchedBefore` and `touchedCheckouts` name, and all steps of touched intents
 * (`touched_steps`). An audit of everything, or one that reaches back to detached months, takes all intents: the steps
 * are five times as many, or gone. Any other audit must not, because it would read whole tables.
 */
export function touchedTables(isOfAll: boolean): string {
  const steps = (from: string) =>
    isOfAll
      ? 'SELECT id AS intent_id FROM intents'
      : `SELECT intent_id FROM intent_steps WHERE at >= ${from}`
  const allSteps = isOfAll
    ? 'SELECT * FROM intent_steps'
    : `SELECT * FROM intent_steps WHERE intent_id IN ${touched}`
  const checkouts = isOfAll
    ? 'SELECT id AS checkout_id FROM checkouts'
    : `SELECT checkout_id FROM intents WHERE id IN ${touched}`
  return `touched AS NOT MATERIALIZED (${steps(since)}),
    touched_before AS NOT MATERIALIZED (${steps(`${since} - interval '1 minute'`)}),
    touched_steps AS NOT MATERIALIZED (${allSteps}),
    touched_checkouts AS NOT MATERIALIZED (${checkouts})`
}

/** SQL of the event keys of a receipt in the journal: it came in, was frozen, was placed, went back. */
export const cameIn = (intent: string) => eventOf('receipt', intent)
export const wasFrozen = (intent: string) => eventOf('frozen', intent)
export const wasPlaced = (intent: string) => eventOf('placed', intent)
export const wentBack = (intent: string) => eventOf('refunded', intent)

/**
 * SQL of whether a transfer is of such an event. Few are `frozen` or `placed`, and these lie together in the index of
 * event keys.
 */
export const isOf = (event: 'receipt' | 'frozen' | 'placed', transfer: string) =>
  `${transfer}.event_key LIKE '${event}:%'`

function eventOf(event: string, intent: string): string {
  return `'${event}:' || ${providerOfRail(`${intent}.rail`)} || ':' || ${intent}.receipt`
}
