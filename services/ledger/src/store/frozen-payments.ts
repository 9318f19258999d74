import type { Rail } from '@malipo/kernel/countries'
import { providerOf } from '../domain/chart'
import type { Database } from './database'
import { Prisma } from './generated/client'

/** When the money of a payment was frozen, and when it came back; undefined while it has not. */
export interface Freezing {
  readonly frozenAt: Date
  readonly returnedAt: Date | undefined
  /** Neither came back nor was given up since. */
  readonly isHeld: boolean
}

/** Of a transfer `f` that froze the money of a payment: it neither came back nor was given up since. */
export const isStillFrozen = Prisma.sql`NOT EXISTS (
  SELECT FROM transfers later
  WHERE later.event_key IN ('placed:' || subject_of(f.event_key), 'refunded:' || subject_of(f.event_key)))`

/** The freezings of payments, by the receipts of those that were ever frozen. */
export async function findFreezings(
  db: Database,
  payments: readonly { readonly rail: string; readonly receipt: string | null }[],
): Promise<ReadonlyMap<string, Freezing>> {
  const subjects = payments.flatMap(({ rail, receipt }) =>
    receipt === null ? [] : [`${providerOf[rail as Rail]}:${receipt}`],
  )
  const rows = await db.$queryRaw<(Omit<Freezing, 'returnedAt'> & FoundReturn)[]>`
    SELECT split_part(given.subject, ':', 2) AS receipt, f.created_at AS "frozenAt", ${isStillFrozen} AS "isHeld",
      -- What was frozen of a wallet comes back to it, or to what its owner owes.
      (SELECT min(t.created_at) FROM transfers t
       WHERE t.event_key = 'placed:' || given.subject AND t.leg = f.leg AND t.credit = f.debit) AS "returnedAt"
    FROM unnest(${subjects}::text[]) given (subject)
    CROSS JOIN LATERAL (
      SELECT * FROM transfers WHERE event_key = 'frozen:' || given.subject ORDER BY leg LIMIT 1
    ) f`
  return new Map(
    rows.map(({ receipt, returnedAt, ...row }) => [
      receipt,
      { ...row, returnedAt: returnedAt ?? undefined },
    ]),
  )
}

interface FoundReturn {
  readonly receipt: string
  readonly returnedAt: Date | null
}
