import { providerOfRail } from '../../journal/store/receipts'

/** What must hold of the money at every moment, as a query that returns no rows. */
export interface Invariant {
  /** Its number in the design's list of 32. */
  readonly number: number
  readonly statement: string
  /**
   * One column `who`, a row for each who breaks it. Only what was touched since an instant (`since`) has to be looked
   * at; a query that does not mention it looks at little anyway.
   */
  readonly query: string
}

/** What was being written when the last look began belongs to the next, and so do the rows that it is compared with. */
const overlap = `interval '1 minute'`

/**
 * The instant, in the queries: their one parameter. As it stands, and not as the column of a row: only of a value does the
 * planner know that little is younger, and of anything else it expects a third of all there is and reads whole tables.
 */
export const since = `($1::timestamptz - ${overlap})`

/** Before this the steps of finished payments may be in detached files. */
export const detachedUntil = `(SELECT coalesce(max(until_at), '-infinity') FROM detached_months)`

/** Intents whose status has changed: each change writes a step. The placing of a held one changes none, and is not seen. */
export const touched = '(SELECT intent_id FROM touched)'
/** Those, and the ones whose status changed shortly before. */
export const touchedBefore = '(SELECT intent_id FROM touched_before)'
/** The checkouts of the first. */
export const touchedCheckouts = '(SELECT checkout_id FROM touched_checkouts)'

/**
 * What `touched`, `touchedBefore` and `touchedCheckouts` name, and all steps of the first (`touched_steps`). An audit of
 * everything, or one that reaches back to detached months, asks for each intent: the steps are five times as many, or gone.
 * Any other must not, because it would read whole tables.
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

/** A receipt's events in the journal: it came in, was frozen, was placed, went back. */
export const cameIn = (intent: string) => eventOf('receipt', intent)
export const wasFrozen = (intent: string) => eventOf('frozen', intent)
export const wasPlaced = (intent: string) => eventOf('placed', intent)
export const wentBack = (intent: string) => eventOf('refunded', intent)

/** That a transfer is one of those: few are of the last three, and an index has them together. */
export const isOf = (event: 'receipt' | 'frozen' | 'placed', transfer: string) =>
  `${transfer}.event_key LIKE '${event}:%'`

function eventOf(event: string, intent: string): string {
  return `'${event}:' || ${providerOfRail(`${intent}.rail`)} || ':' || ${intent}.receipt`
}
