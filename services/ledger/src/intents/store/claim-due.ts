import type { Rail } from '@malipo/kernel/countries'
import type { Pool } from 'pg'
import {
  nextPayeeClaimAt,
  type Claimed,
  type ClaimTerms,
  type ClaimWrite,
  decideClaiming,
  type DueWork,
} from '../rules/decide-claiming'
import {
  inRetriedTransaction,
  micros,
  timestamp,
  type Statement,
  type Transaction,
} from '../../database/transaction'
import type { RefundWork } from '../../refunds/rules/decide-sending'
import { claimRefunds } from '../../refunds/store/claim-refunds'

/** Loads messages whose payee is wanted, the longest due first, and skips those that another transaction has locked. */
const loadPayees: Statement = {
  name: 'load_wanted_payees',
  text: `
    SELECT w.message_id AS id, w.claims, ${micros('clock_timestamp()')} AS now
    FROM wanted_payees w WHERE w.next_action_at <= (SELECT clock_timestamp())
    ORDER BY w.next_action_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED`,
}

/** Writes what the load has locked. */
const savePayees: Statement = {
  name: 'save_wanted_payees',
  text: `
    UPDATE wanted_payees w SET claims = w.claims + 1, next_action_at = n.next_action_at
    FROM unnest($1::text[], $2::timestamptz[]) n (id, next_action_at) WHERE w.message_id = n.id`,
}

export const claimPayeesStatements = { load: loadPayees, save: savePayees } as const

interface WantedPayee {
  readonly now: number
  readonly id: string
  readonly claims: number
}

interface WantedRead {
  readonly kind: 'read'
  readonly id: string
}

/** Leases the messages whose payee is wanted, at most `limit`. */
async function claimPayees(
  transaction: Transaction,
  { limit, leaseSeconds }: { readonly limit: number; readonly leaseSeconds: number },
): Promise<WantedRead[]> {
  const due = await transaction.query<WantedPayee>(loadPayees, [limit])
  if (due.length === 0) return []
  const ids = due.map(({ id }) => id)
  const times = due.map(({ now, claims }) => timestamp(nextPayeeClaimAt(now, claims, leaseSeconds)))
  await transaction.query(savePayees, [ids, times])
  return ids.map((id) => ({ kind: 'read', id }))
}

/**
 * Loads what is due, the longest due first, and skips what another transaction has locked. Of what is due at the same
 * instant, messages come first, because a message may end the intent that would be queried. Payers wait for intents in
 * flight, so watches of ended intents come last, except for those due longest: an eighth of the places is open to
 * these, so that a rush of payments does not stop all watches.
 */
const load: Statement = {
  name: 'load_due',
  text: `
    WITH messages AS (
      SELECT m.id, m.next_action_at, m.claims, m.kind = 'statement_row' AS of_statement FROM provider_messages m
      WHERE m.next_action_at <= (SELECT clock_timestamp())
      ORDER BY m.next_action_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED
    ), in_flight AS (
      SELECT i.id, i.next_action_at, i.status, i.rail FROM intents i
      WHERE i.next_action_at <= (SELECT clock_timestamp()) AND i.ended_at IS NULL
      ORDER BY i.next_action_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED
    ), watches AS (
      SELECT i.id, i.next_action_at, i.status, i.rail FROM intents i
      WHERE i.next_action_at <= (SELECT clock_timestamp()) AND i.ended_at IS NOT NULL
      ORDER BY i.next_action_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED
    )
    SELECT kind, id, claims, of_statement AS "isOfStatement", status, rail, ${micros('(SELECT clock_timestamp())')} AS now FROM (
      SELECT 'message' AS kind, id, next_action_at, claims, of_statement, NULL AS status, NULL AS rail, false AS can_wait
      FROM messages
      UNION ALL
      SELECT 'intent', id, next_action_at, NULL, NULL, status, rail, false FROM in_flight
      UNION ALL
      SELECT 'intent', id, next_action_at, NULL, NULL, status, rail, row_number() OVER (ORDER BY next_action_at) > $1 / 8
      FROM watches
      ORDER BY can_wait, next_action_at, kind DESC LIMIT $1
    ) due`,
}

/** Writes what the load has locked. */
const save: Statement = {
  name: 'save_claimed',
  text: `
    WITH leased_intents AS (
      UPDATE intents i SET next_action_at = n.next_action_at
      FROM unnest($1::text[], $2::timestamptz[]) n (id, next_action_at) WHERE i.id = n.id
    ), parked AS (
      UPDATE provider_messages m SET
        result = 'parked', detail = n.detail, applied_at = clock_timestamp(), next_action_at = NULL
      FROM unnest($6::text[], $7::text[]) n (id, detail) WHERE m.id = n.id
    )
    UPDATE provider_messages m SET claims = n.claims, next_action_at = n.next_action_at
    FROM unnest($3::text[], $4::int[], $5::timestamptz[]) n (id, claims, next_action_at) WHERE m.id = n.id`,
}

export const claimDueStatements = { load, save } as const

export interface Lease extends ClaimTerms {
  readonly limit: number
}

interface ClaimedPayment extends Claimed {
  /** Null for a message. */
  readonly rail: Rail | null
}

export type DueOrRefund = ClaimedPayment | RefundWork | WantedRead

/** Leases what is due: prompts, status queries and unread messages, then refunds and wanted payees, at most `limit` of each. */
export async function claimDue(pool: Pool, lease: Lease): Promise<DueOrRefund[]> {
  return inRetriedTransaction(pool, async (transaction) => {
    // The three loads share a round trip.
    const [due, refunds, payees] = await Promise.all([
      claimPayments(transaction, lease),
      claimRefunds(transaction, lease),
      claimPayees(transaction, lease),
    ])
    return [...due, ...refunds, ...payees]
  })
}

async function claimPayments(transaction: Transaction, lease: Lease): Promise<ClaimedPayment[]> {
  const due = await transaction.query<
    DueWork & { readonly now: number; readonly rail: Rail | null }
  >(load, [lease.limit])
  if (due.length === 0) return []
  const decided = due.map((one) => ({ ...decideClaiming(one.now, one, lease), rail: one.rail }))
  await transaction.query(save, valuesOf(decided.map(({ write }) => write)))
  return decided.map(({ claimed, rail }) => ({ ...claimed, rail }))
}

function valuesOf(writes: readonly ClaimWrite[]): unknown[] {
  const intents = writes.filter((write) => write.kind === 'intent')
  const messages = writes.filter((write) => write.kind === 'message')
  const parked = writes.filter((write) => write.kind === 'parked')
  return [
    intents.map(({ id }) => id),
    intents.map(({ nextActionAt }) => timestamp(nextActionAt)),
    messages.map(({ id }) => id),
    messages.map(({ claims }) => claims),
    messages.map(({ nextActionAt }) => timestamp(nextActionAt)),
    parked.map(({ id }) => id),
    parked.map(({ detail }) => detail),
  ]
}
