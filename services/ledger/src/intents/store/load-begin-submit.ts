import type { Rail } from '@malipo/kernel/countries'
import type { Minor } from '@malipo/kernel/money'
import { asksByPage, asksByPrompt } from '@malipo/kernel/rail-abilities'
import {
  type BeginSubmitState,
  cardLifeSeconds,
  type Channel,
  type SentPrompt,
  type WaitingPrompt,
} from '../rules/decide-submit'
import { micros, type Statement, type Transaction } from '../../database/transaction'

/** Locks the checkout and then the phone, as everywhere. A batch of one may wait; a larger batch skips what is locked. */
function locking(name: string, isWaiting: boolean): Statement {
  const phone = 'hashtextextended(i.phone, 0)'
  const text = `
    SELECT i.id,
      CASE
        WHEN i.checkout_id IS NOT NULL AND c.id IS NULL THEN false
        WHEN i.callback_secret IS NULL THEN true
        ELSE ${isWaiting ? `pg_advisory_xact_lock(${phone}) IS NOT NULL` : `pg_try_advisory_xact_lock(${phone})`}
      END AS "isFree"
    FROM intents i
    LEFT JOIN LATERAL (
      SELECT c.id FROM checkouts c WHERE c.id = i.checkout_id FOR NO KEY UPDATE ${isWaiting ? '' : 'SKIP LOCKED'}
    ) c ON true
    WHERE i.id = ANY ($1::text[]) AND i.status = 'reserved'`
  return { name, text }
}

const lock = locking('lock_begin_submit', true)
const lockFree = locking('lock_free_begin_submit', false)

/** The load is a separate statement, because it has to see what was committed while the locks were waited for. */
const load: Statement = {
  name: 'load_begin_submit',
  text: `
    SELECT ${micros('clock_timestamp()')} AS now,
      i.id, i.xmin::text AS version, i.status, i.rail, i.phone, i.attempt_reference AS "attemptReference",
      i.callback_secret AS "callbackSecret", i.asked_minor AS "askedMinor",
      coalesce(i.account_id, c.account_id) AS "accountId", i.checkout_id AS "checkoutId",
      ${micros('i.created_at')} AS "createdAt", ${micros('i.deadline_at')} AS "deadlineAt",
      ${micros('i.queued_at')} AS "queuedAt",
      (SELECT true FROM intents paid
        WHERE paid.checkout_id = i.checkout_id AND paid.disposition = 'merchant' LIMIT 1) AS "isCheckoutPaid",
      (SELECT w.frozen_at IS NOT NULL FROM wallets w
        WHERE w.account_id = coalesce(i.account_id, c.account_id) LIMIT 1) AS "isWalletFrozen",
      s.fee_minor AS "feeMinor", ${micros('s.expires_at')} AS "expiresAt", s.sealed_payer AS "sealedPayer",
      -- Every prompt closes within an hour, so no older attempt is read.
      (SELECT jsonb_agg(jsonb_build_object(
          'id', o.id, 'rail', o.rail, 'sentAt', ${micros(`coalesce((
            SELECT w.ended_at FROM wire_attempts w WHERE w.intent_id = o.id AND w.outcome = 'accepted' LIMIT 1
          ), o.submitted_at)`)},
          'createdAt', ${micros('o.created_at')}, 'deadlineAt', ${micros('o.deadline_at')},
          'isCheckoutPaid', (SELECT true FROM intents paid
            WHERE paid.checkout_id = o.checkout_id AND paid.disposition = 'merchant' LIMIT 1) IS NOT NULL
        ))
        FROM (
          SELECT * FROM intents p WHERE p.phone = i.phone AND p.created_at > statement_timestamp() - interval '1 hour'
          -- OFFSET 0 keeps the index on the phone: a plan made while no attempt was in flight would use the index of
          -- those in flight, and read all of them for each prompt.
          OFFSET 0
        ) o
        WHERE o.id <> i.id
          AND o.callback_secret IS NOT NULL AND (o.submitted_at IS NOT NULL OR o.status = 'reserved')
          AND o.ended_at IS NULL AND o.reported_at IS NULL) AS others
    FROM intents i
    LEFT JOIN checkouts c ON c.id = i.checkout_id
    LEFT JOIN card_sessions s ON s.intent_id = i.id AND i.rail = 'card'
    WHERE i.id = ANY ($1::text[])`,
}

export const loads = { lock, lockFree, load }

interface Row extends Omit<Order, 'amountMinor' | 'card'> {
  readonly now: number
  readonly id: string
  /** The row's `xmin`, which each change of the intent changes: the save writes only while it is the same. */
  readonly version: string
  readonly status: BeginSubmitState['status']
  readonly askedMinor: string
  readonly checkoutId: string | null
  readonly createdAt: number
  readonly deadlineAt: number | null
  readonly queuedAt: number | null
  readonly isCheckoutPaid: true | null
  readonly isWalletFrozen: boolean
  readonly feeMinor: string | null
  readonly expiresAt: number | null
  readonly sealedPayer: Uint8Array | null
  readonly others: readonly OtherPrompt[] | null
}

/** The prompt of another attempt on the same phone that has not ended. */
interface OtherPrompt extends WaitingPrompt, Pick<SentPrompt, 'rail'> {
  readonly sentAt: number | null
}

/** What a worker needs to send a prompt, or to open a card page. */
export interface Order {
  /** The account that the attempt pays. */
  readonly accountId: string
  readonly rail: Rail
  readonly phone: string | null
  /** What the payer is asked for. */
  readonly amountMinor: Minor
  /** Null for an attempt by card: all cards share one callback address. */
  readonly attemptReference: string | null
  readonly callbackSecret: string | null
  /** Undefined for a prompt. */
  readonly card: CardOrder | undefined
}

export interface CardOrder {
  readonly checkoutId: string
  readonly feeMinor: Minor
  /** How long the page is to be open. */
  readonly lifeSeconds: number
  readonly sealedPayer: Uint8Array | null
}

export interface LoadedSubmit {
  readonly state: BeginSubmitState
  readonly order: Order
  /** The row's `xmin`, which each change of the intent changes: the save writes only while it is the same. */
  readonly version: string
}

/**
 * Locks and reads attempts, in the order of their ids: `unknown` for an id without one, undefined where another
 * transaction has the lock. An attempt that is not reserved needs no lock: it never becomes reserved again.
 */
export async function loadBeginSubmit(
  transaction: Transaction,
  intentIds: readonly string[],
  isWaiting: boolean,
): Promise<(LoadedSubmit | 'unknown' | undefined)[]> {
  const [locked, rows] = await Promise.all([
    transaction.query<{ id: string; isFree: boolean }>(isWaiting ? lock : lockFree, [intentIds]),
    transaction.query<Row>(load, [intentIds]),
  ])
  const held = new Set(locked.flatMap(({ id, isFree }) => (isFree ? [id] : [])))
  const found = new Map(rows.map((row) => [row.id, row]))
  return intentIds.map((id) => {
    const row = found.get(id)
    if (row === undefined) return 'unknown'
    if (row.status === 'reserved' && !held.has(id)) return undefined
    return { state: readState(row), order: readOrder(row), version: row.version }
  })
}

function readState(row: Row): BeginSubmitState {
  const { now, id, status, createdAt, deadlineAt, queuedAt } = row
  if (status !== 'reserved') return { id, status }
  return {
    ...{ now, id, status, createdAt, deadlineAt, queuedAt },
    isCheckoutPaid: row.isCheckoutPaid ?? false,
    isWalletFrozen: row.isWalletFrozen,
    channel: readChannel(row),
  }
}

function readChannel({ id, rail, phone, others, expiresAt }: Row): Channel {
  if (asksByPage(rail) && expiresAt !== null) return { kind: 'page', expiresAt }
  if (asksByPrompt(rail) && phone !== null) {
    const all = others ?? []
    return {
      ...{ kind: 'prompt', rail, phone },
      others: all.flatMap(({ rail: on, sentAt }) =>
        sentAt === null ? [] : [{ rail: on, sentAt }],
      ),
      waiting: all.filter(({ sentAt }) => sentAt === null),
    }
  }
  throw new Error(`the intent ${id} is reserved, and asks nothing of its payer`)
}

function readOrder(row: Row): Order {
  const { accountId, rail, phone, attemptReference, callbackSecret } = row
  const { checkoutId, feeMinor, expiresAt, sealedPayer } = row
  const isByCard = checkoutId !== null && feeMinor !== null && expiresAt !== null
  return {
    ...{ accountId, rail, phone, attemptReference, callbackSecret },
    amountMinor: BigInt(row.askedMinor),
    card: isByCard
      ? {
          ...{ checkoutId, sealedPayer },
          feeMinor: BigInt(feeMinor),
          lifeSeconds: cardLifeSeconds(row.now, expiresAt),
        }
      : undefined,
  }
}
