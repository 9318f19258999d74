import type { DecidedPlacement, NewPlacement } from '../rules/decide-placement'
import type { PlacingWrites } from '../rules/place-money'
import type { OperatorAction } from '../../refunds/rules/state'
import type { Instant } from '../../evidence/rules/state'
import { timestamp, Stale, type Statement, type Transaction } from '../../database/transaction'
import { parts, rareParts, saveWhole } from '../../evidence/store/save'

const noted = `noted AS MATERIALIZED (
      SELECT note_action(a.operator, a.did, a.subject, a.note)
      FROM jsonb_to_record($4::jsonb -> 'action') a (operator TEXT, did TEXT, subject TEXT, note TEXT)
      WHERE a.did IS NOT NULL
    )`

/** Saves a placing together with the placement that was decided, or with the removal of a wanted payee that is now known. */
const savePlacingStatement: Statement = {
  name: 'save_placing',
  text: `
    WITH ${parts.posted}, ${parts.changed}, ${rareParts}, ${parts.applied}, decided AS (
      UPDATE placements p SET status = d.status, decided_by = d."decidedBy", decided_at = $1
      FROM jsonb_to_record($4::jsonb -> 'placement') d (id TEXT, status TEXT, "decidedBy" TEXT)
      WHERE p.id = d.id
      RETURNING 1
    ), known AS (
      DELETE FROM wanted_payees w WHERE w.message_id = $4::jsonb ->> 'known'
      RETURNING 1
    ), ${noted}
    SELECT (SELECT count(*) FROM posted)::int AS posted, (SELECT count(*) FROM applied)::int AS applied, ${parts.notified},
      (SELECT count(*) FROM noted)::int AS noted,
      (SELECT count(*) FROM decided)::int + (SELECT count(*) FROM known)::int AS kept`,
}

/**
 * Writes what was decided as one statement, at the time of the load. Throws `Stale` where loaded rows have changed
 * since.
 */
export async function savePlacing(
  transaction: Transaction,
  now: Instant,
  {
    placing,
    ...others
  }: {
    readonly placing?: PlacingWrites | undefined
    readonly action?: OperatorAction | undefined
    /** The decided placement, or (`known`) the message whose payee is wanted no longer. */
    readonly placement?: DecidedPlacement
    readonly known?: string
  },
): Promise<void> {
  await saveWhole(transaction, now, {
    statement: savePlacingStatement,
    transfers: placing?.transfers ?? [],
    intents: placing?.intents ?? [],
    paymentEvents: placing?.paymentEvents ?? [],
    others: { ...others, matched: placing === undefined ? [] : [placing.matched] },
    messages: [],
    kept: { count: 1, values: [] },
  })
}

/** Stores the placement $2 that is asked for and the action $4, at the time $1 of the load. */
const saveRequest: Statement = {
  name: 'save_asked_placement',
  text: `
    WITH asked AS (
      INSERT INTO placements (id, subject, checkout_id, account_id, status, asked_by, asked_at)
      SELECT a.id, a.subject, a."checkoutId", a."accountId", 'asked', $3, $1
      FROM jsonb_to_record($2::jsonb) a (id TEXT, subject TEXT, "checkoutId" TEXT, "accountId" TEXT)
      ON CONFLICT (subject) WHERE status = 'asked' DO NOTHING
      RETURNING 1
    ), ${noted}
    SELECT (SELECT count(*) FROM asked)::int AS written, (SELECT count(*) FROM noted)::int AS noted`,
}

/** Throws `Stale` where another placement of the receipt was asked for since the load. */
export async function savePlacementRequest(
  transaction: Transaction,
  now: Instant,
  { request, action }: { readonly request: NewPlacement; readonly action: OperatorAction },
): Promise<void> {
  const [saved] = await transaction.query<{ written: number }>(saveRequest, [
    timestamp(now),
    JSON.stringify(request),
    action.operator,
    JSON.stringify({ action }),
  ])
  if (saved?.written !== 1) throw new Stale('another placement of the receipt was first')
}
