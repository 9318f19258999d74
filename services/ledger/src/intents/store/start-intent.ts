import type { Pool } from 'pg'
import {
  type StartState,
  type CheckoutState,
  type EarlierAttempt,
  decideStart,
  type StartAnswer,
  type StartRequest,
} from '../rules/decide-start'
import type { CardPage, CardStartState } from '../../cards/rules/decide-start-card'
import type { WalletState } from '../../journal/rules/postings'
import { micros, type Statement, type Transaction } from '../../database/transaction'
import { type Keyed, type KeyedCommand, loadStarts, startBatch } from './save-start'

/** Locks the checkout and then the phone, as everywhere. A batch of one may wait; a larger batch skips what is locked. */
function locking(name: string, isWaiting: boolean): Statement {
  const phone = 'hashtextextended(item.phone, 0)'
  const text = `
    SELECT item.place::int - 1 AS place,
      CASE
        WHEN c.id IS NULL THEN false
        WHEN item.phone IS NULL THEN true
        ELSE ${isWaiting ? `pg_advisory_xact_lock(${phone}) IS NOT NULL` : `pg_try_advisory_xact_lock(${phone})`}
      END AS "isFree"
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY item (checkout_id, phone, place)
    LEFT JOIN LATERAL (
      SELECT c.id FROM checkouts c WHERE c.id = item.checkout_id FOR NO KEY UPDATE ${isWaiting ? '' : 'SKIP LOCKED'}
    ) c ON true`
  return { name, text }
}

const lock = locking('lock_start', true)
const lockFree = locking('lock_free_start', false)

/** SQL of when the prompts of a phone within the last hour began. */
export function phonePrompts(phone: string): string {
  return `(SELECT jsonb_agg(${micros('p.created_at')}) FROM intents p
        WHERE p.phone = ${phone} AND p.created_at > statement_timestamp() - interval '1 hour'
          AND p.callback_secret IS NOT NULL)`
}

function loading(name: string, columns: string, joins = ''): Statement {
  const text = `
    SELECT item.place::int - 1 AS place, ${micros('(SELECT clock_timestamp())')} AS now,
      c.id AS "checkoutId", c.amount_minor AS "amountMinor", ${micros('c.expires_at')} AS "expiresAt",
      CASE WHEN w.frozen_at IS NULL THEN 'open' ELSE 'frozen' END AS wallet,
      k.fingerprint, k.intent_id AS "boundTo",
      (SELECT jsonb_agg(jsonb_build_object(
        'intentId', i.id, 'status', i.status, 'rail', i.rail, 'amountMinor', i.amount_minor::text,
        'settledMinor', i.settled_minor::text, 'createdAt', ${micros('i.created_at')},
        'isPrompt', i.callback_secret IS NOT NULL, 'isOver', i.ended_at IS NOT NULL,
        'isPaid', i.disposition IS NOT DISTINCT FROM 'merchant'
      )) FROM intents i WHERE i.checkout_id = c.id) AS attempts,
      ${columns}
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY item (checkout_id, phone, scope, key, place)
    JOIN checkouts c ON c.id = item.checkout_id
    JOIN wallets w ON w.account_id = c.account_id
    LEFT JOIN idempotency_keys k ON k.scope = item.scope AND k.key = item.key
    ${joins}`
  return { name, text }
}

const load = loading('load_start', `${phonePrompts('item.phone')} AS "phonePrompts"`)
const loadCard = loading(
  'load_start_card',
  `w.card_enabled AS "cardEnabled", s.fee_minor AS "feeMinor", ${micros('s.expires_at')} AS "pageExpiresAt",
      s.session_id AS "sessionId", s.success_indicator AS "successIndicator"`,
  'LEFT JOIN card_sessions s ON s.intent_id = k.intent_id',
)

export const startLoads = { lock, lockFree, load, loadCard }

interface Row {
  readonly place: number
  readonly now: number
  readonly checkoutId: string
  readonly amountMinor: string
  readonly expiresAt: number
  readonly wallet: WalletState
  readonly fingerprint: Buffer | null
  readonly boundTo: string | null
  readonly attempts: readonly AttemptRow[] | null
}

type AttemptRow = Omit<EarlierAttempt, 'amountMinor' | 'settledMinor'> & {
  readonly amountMinor: string
  readonly settledMinor: string | null
}

interface PhoneRow extends Row {
  readonly phonePrompts: readonly number[] | null
}

interface CardRow extends Row {
  readonly cardEnabled: boolean
  readonly feeMinor: string | null
  readonly pageExpiresAt: number | null
  readonly sessionId: string | null
  readonly successIndicator: string | null
}

type AboutCheckout = Keyed & { readonly checkoutId: string }

/** Locks and reads what new attempts over a phone are about. */
async function loadStart(
  transaction: Transaction,
  requests: readonly (AboutCheckout & { readonly phone: string })[],
  isWaiting: boolean,
): Promise<(StartState | 'unknown' | undefined)[]> {
  return loadStarts<PhoneRow, StartState>(transaction, requests, {
    lock: isWaiting ? lock : lockFree,
    load,
    about: [requests.map(({ checkoutId }) => checkoutId), requests.map(({ phone }) => phone)],
    read: (row, given) => ({ ...readCheckout(row, given), phonePrompts: row.phonePrompts ?? [] }),
  })
}

/** Locks and reads what new attempts by card are about, as `loadStart` does, but locks no phone: a card prompts none. */
export async function loadStartCard(
  transaction: Transaction,
  requests: readonly AboutCheckout[],
  isWaiting: boolean,
): Promise<(CardStartState | 'unknown' | undefined)[]> {
  return loadStarts<CardRow, CardStartState>(transaction, requests, {
    lock: isWaiting ? lock : lockFree,
    load: loadCard,
    about: [requests.map(({ checkoutId }) => checkoutId), requests.map(() => null)],
    read(row, given) {
      const { cardEnabled } = row
      return { ...readCheckout(row, given), cardEnabled, page: readPage(row) }
    },
  })
}

function readCheckout(row: Row, given: Buffer): CheckoutState {
  const { now, checkoutId, expiresAt, wallet, fingerprint, boundTo, attempts } = row
  return {
    ...{ now, checkoutId, expiresAt, wallet },
    amountMinor: BigInt(row.amountMinor),
    bound:
      fingerprint === null || boundTo === null
        ? undefined
        : { intentId: boundTo, isSameInput: fingerprint.equals(given) },
    attempts: (attempts ?? []).map(readAttempt),
  }
}

function readAttempt(row: AttemptRow): EarlierAttempt {
  const { settledMinor } = row
  return {
    ...row,
    amountMinor: BigInt(row.amountMinor),
    settledMinor: settledMinor === null ? null : BigInt(settledMinor),
  }
}

function readPage({
  feeMinor,
  pageExpiresAt: expiresAt,
  sessionId,
  successIndicator,
}: CardRow): CardPage | undefined {
  if (feeMinor === null || expiresAt === null) return undefined
  const isOpen = sessionId !== null && successIndicator !== null
  const opened = isOpen ? { sessionId, successIndicator } : undefined
  return { feeMinor: BigInt(feeMinor), expiresAt, opened }
}

export interface StartCommand extends StartRequest, KeyedCommand {
  readonly checkoutId: string
}

interface Terms {
  readonly startSeconds: number
}

/** Returns an answer for each command, in order; undefined for one that has to be loaded again. */
export async function startIntents(
  pool: Pool,
  commands: readonly StartCommand[],
  { terms, isWaiting }: { readonly terms: Terms; readonly isWaiting: boolean },
): Promise<(StartAnswer | undefined)[]> {
  const requests = commands.map((command) => ({ ...command, scope: `pay ${command.checkoutId}` }))
  return startBatch(pool, requests, {
    load: (transaction, input) => loadStart(transaction, input, isWaiting),
    about: ({ checkoutId, phone }) => [checkoutId, phone],
    decide: (state, request) => decideStart(state, request, terms),
  })
}
