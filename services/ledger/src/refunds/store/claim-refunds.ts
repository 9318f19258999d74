import { claimRefunds as decide, type DueRefund, type RefundWork } from '../rules/decide-sending'
import { micros, timestamp, type Statement, type Transaction } from '../../database/transaction'

/** The longest due first. What another transaction holds is left to it. */
const load: Statement = {
  name: 'load_due_refunds',
  text: `
    SELECT r.id, r.status, ${micros('clock_timestamp()')} AS now
    FROM refunds r WHERE r.next_action_at <= (SELECT clock_timestamp())
    ORDER BY r.next_action_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED`,
}

/** Finds its rows by their ids, also by a plan that was made while there were few refunds. */
const save: Statement = {
  name: 'save_claimed_refunds',
  text: `
    UPDATE refunds r SET next_action_at = ($1::jsonb ->> r.id)::timestamptz
    WHERE r.id = ANY (ARRAY (SELECT jsonb_object_keys($1::jsonb)))`,
}

export const claimRefundsStatements = { load, save } as const

/** Leases refunds that are due to be sent or asked about, at most `limit`. */
export async function claimRefunds(
  transaction: Transaction,
  { limit, leaseSeconds }: { readonly limit: number; readonly leaseSeconds: number },
): Promise<readonly RefundWork[]> {
  const due = await transaction.query<DueRefund & { readonly now: number }>(load, [limit])
  const [first] = due
  if (first === undefined) return []
  const { applied, writes } = decide(first.now, due, leaseSeconds)
  const times = writes.map(({ id, nextActionAt }) => [id, timestamp(nextActionAt)])
  await transaction.query(save, [JSON.stringify(Object.fromEntries(times))])
  return applied
}
