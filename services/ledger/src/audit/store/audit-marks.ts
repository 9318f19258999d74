import type { Database } from '../../database/database'
import type { DatabaseInstant } from './audit'

/**
 * The instant until which each invariant, by its number, was found to hold. One that was never checked is missing, and
 * one whose instant is still to come: it is from before the clock was set back, and would hide what happens until then.
 */
export type AuditMarks = ReadonlyMap<number, DatabaseInstant>

export async function readAuditMarks(db: Database): Promise<AuditMarks> {
  const marks = await db.$queryRaw<{ invariant: number; heldUntil: DatabaseInstant }[]>`
    SELECT invariant, held_until::text AS "heldUntil" FROM audit_marks WHERE held_until <= (SELECT clock_timestamp())`
  return new Map(marks.map(({ invariant, heldUntil }) => [invariant, heldUntil]))
}

/** Marks that invariants hold until an instant. Where another ledger has audited further, its mark stays. */
export async function markHeld(
  db: Database,
  invariants: readonly number[],
  until: DatabaseInstant,
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO audit_marks (invariant, held_until)
    SELECT unnest(${[...invariants]}::int[]), ${until}::text::timestamptz
    ON CONFLICT (invariant) DO UPDATE SET held_until = CASE WHEN audit_marks.held_until > (SELECT clock_timestamp())
      THEN excluded.held_until ELSE greatest(audit_marks.held_until, excluded.held_until) END`
}
