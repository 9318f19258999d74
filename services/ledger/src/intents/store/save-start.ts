import { intentMachine } from '../../domain/intent'
import type { NewAttempt, NewPage } from '../../domain/start/state'
import { timestamp } from '../settlement/columns'
import type { Statement, Transaction } from '../settlement/transaction'
import type { Instant } from '../../domain/settlement/state'

/**
 * Takes keys, and begins the attempts of those that it took. A key that another transaction took since the load is not
 * taken, so nothing is written of its request.
 */
function saving(name: string, pages = ''): Statement {
  const text = `
    WITH taken AS (
      INSERT INTO idempotency_keys (scope, key, fingerprint, intent_id, created_at)
      SELECT n.scope, n.key, decode(n.fingerprint, 'hex'), n."boundTo", n.now
      FROM jsonb_to_recordset($1::jsonb) n (
        scope TEXT, key TEXT, fingerprint TEXT, "boundTo" TEXT, now TIMESTAMPTZ
      )
      -- Two batches that take the same keys wait for each other in one order.
      ORDER BY n.scope, n.key
      ON CONFLICT DO NOTHING
      RETURNING scope, key, intent_id
    ), begun AS (
      INSERT INTO intents (
        id, checkout_id, account_id, handle, rail, phone, amount_minor, asked_minor, status, event,
        created_at, deadline_at, next_action_at, callback_secret, attempt_reference
      )
      SELECT n.id, n."checkoutId", n."accountId", n.handle, n.rail, n.phone, n."amountMinor", n."askedMinor",
        '${intentMachine.created.reserved}', 'reserved', n."createdAt", n."deadlineAt", n."nextActionAt",
        n."callbackSecret", n."attemptReference"
      FROM jsonb_to_recordset($2::jsonb) n (
        id TEXT, "checkoutId" TEXT, "accountId" TEXT, handle TEXT, rail TEXT, phone TEXT, "amountMinor" BIGINT,
        "askedMinor" BIGINT, "createdAt" TIMESTAMPTZ, "deadlineAt" TIMESTAMPTZ, "nextActionAt" TIMESTAMPTZ,
        "callbackSecret" TEXT, "attemptReference" TEXT
      )
      WHERE n.id = ANY (ARRAY (SELECT intent_id FROM taken))
    )${pages}
    SELECT scope, key FROM taken`
  return { name, text }
}

const save = saving('save_start')
const savePages = saving(
  'save_pages_start',
  `, opened AS (
      INSERT INTO card_sessions (intent_id, fee_minor, expires_at, sealed_payer)
      SELECT n.id, n."feeMinor", n."expiresAt", decode(n."sealedPayer", 'hex')
      FROM jsonb_to_recordset($2::jsonb) n (id TEXT, "feeMinor" BIGINT, "expiresAt" TIMESTAMPTZ, "sealedPayer" TEXT)
    )`,
)

export const startSaves = { save, savePages }

/** A key that is taken, and what it is bound to. */
export interface Taken {
  readonly scope: string
  readonly key: string
  readonly fingerprint: Buffer
  readonly boundTo: string
  readonly now: Instant
  readonly attempt: NewAttempt | undefined
}

/** Writes and commits. Answers which keys were taken, in the order given: of no other anything is written. */
export async function saveStart(
  transaction: Transaction,
  takings: readonly Taken[],
): Promise<ReadonlySet<Taken>> {
  if (takings.length === 0) return new Set()
  const hasPages = takings.some(({ attempt }) => attempt?.page !== undefined)
  const saved = await transaction.commit<Row>(hasPages ? savePages : save, startValues(takings))
  const taken = new Set(saved.map(nameOf))
  return new Set(takings.filter((one) => taken.has(nameOf(one))))
}

interface Row {
  readonly scope: string
  readonly key: string
}

/** What the statements that save are given. */
export function startValues(takings: readonly Taken[]): unknown[] {
  const attempts = takings.flatMap(({ attempt }) => attempt ?? [])
  return [JSON.stringify(takings.map(keyOf)), JSON.stringify(attempts.map(rowOf))]
}

function nameOf({ scope, key }: Row): string {
  return JSON.stringify([scope, key])
}

function keyOf({ scope, key, fingerprint, boundTo, now }: Taken) {
  return { scope, key, fingerprint: fingerprint.toString('hex'), boundTo, now: timestamp(now) }
}

function rowOf({ page, ...attempt }: NewAttempt) {
  return {
    ...attempt,
    ...(page && pageOf(page)),
    amountMinor: String(attempt.amountMinor),
    askedMinor: String(attempt.askedMinor),
    createdAt: timestamp(attempt.createdAt),
    deadlineAt: timestamp(attempt.deadlineAt),
    nextActionAt: timestamp(attempt.nextActionAt),
  }
}

function pageOf({ feeMinor, expiresAt, sealedPayer }: NewPage) {
  return {
    feeMinor: String(feeMinor),
    expiresAt: timestamp(expiresAt),
    sealedPayer: sealedPayer?.toString('hex'),
  }
}
