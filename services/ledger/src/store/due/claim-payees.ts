import { nextPayeeClaimAt } from '../../domain/due/decide-claiming'
import { micros, timestamp } from '../settlement/columns'
import type { Statement, Transaction } from '../settlement/transaction'

/** The longest due first. What another transaction holds is left to it. */
const load: Statement = {
  name: 'load_wanted_payees',
  text: `
    SELECT w.message_id AS id, w.claims, ${micros('clock_timestamp()')} AS now
    FROM wanted_payees w WHERE w.next_action_at <= (SELECT clock_timestamp())
    ORDER BY w.next_action_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED`,
}

/** Writes what the load has locked. */
const save: Statement = {
  name: 'save_wanted_payees',
  text: `
    UPDATE wanted_payees w SET claims = w.claims + 1, next_action_at = n.next_action_at
    FROM unnest($1::text[], $2::timestamptz[]) n (id, next_action_at) WHERE w.message_id = n.id`,
}

export const claimPayeesStatements = { load, save } as const

interface WantedPayee {
  readonly now: number
  readonly id: string
  readonly claims: number
}

/** Leases the messages whose payee is wanted, at most `limit`. */
export async function claimPayees(
  transaction: Transaction,
  { limit, leaseSeconds }: { readonly limit: number; readonly leaseSeconds: number },
): Promise<{ readonly kind: 'read'; readonly id: string }[]> {
  const due = await transaction.query<WantedPayee>(load, [limit])
  if (due.length === 0) return []
  const ids = due.map(({ id }) => id)
  const times = due.map(({ now, claims }) => timestamp(nextPayeeClaimAt(now, claims, leaseSeconds)))
  await transaction.query(save, [ids, times])
  return ids.map((id) => ({ kind: 'read', id }))
}
