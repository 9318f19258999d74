import type { CountryRules } from '@malipo/kernel/countries'
import type { Pool } from 'pg'
import {
  type Order,
  type CreateDecision,
  type CreateState,
  decideCreateCheckout,
  ordinaryState,
} from '../rules/checkout'
import type { Statement } from '../../database/transaction'
import { textColumns } from './checkouts'

export interface CreateCommand extends Omit<Order, 'createdAt' | 'expiresAt'> {
  readonly key: string | undefined
  /** SHA-256 of the input in hex. Present with a key. */
  readonly fingerprint: string | undefined
  /** For the payer's Pay Bill menu. Not given out when another checkout has had it for less than a year. */
  readonly payBillNumber: string | undefined
}

export interface CreateTerms {
  readonly country: CountryRules
  readonly lifeSeconds: number
}

export type CreateAnswer =
  | { readonly outcome: 'created'; readonly createdAt: Date; readonly expiresAt: Date }
  | Exclude<CreateDecision, { readonly outcome: 'create' }>

/**
 * Saves each checkout only if its state is ordinary: its idempotency key is new, and its wallet open. For any other
 * checkout, the row of the answer has the real state, to decide by. The statement waits for another transaction that takes
 * the same key. Keys are taken in one order, so that two batches never deadlock.
 */
const save: Statement = {
  name: 'save_create_checkout',
  text: `
    WITH given AS MATERIALIZED (
      SELECT n.*, 'create ' || n."accountId" AS scope, moment.now, moment.now + make_interval(secs => $2) AS "expiresAt",
        -- LIMIT and not EXISTS, because with EXISTS a plan that was made while there were few wallets would read them
        -- all.
        (SELECT true FROM wallets w WHERE w.account_id = n."accountId" AND w.frozen_at IS NULL LIMIT 1) IS TRUE AS "isWalletOpen"
      FROM (SELECT clock_timestamp() AS now OFFSET 0) moment, jsonb_to_recordset($1::jsonb) n (
        place INTEGER, "mayCreate" BOOLEAN, id TEXT, "accountId" TEXT, key TEXT, fingerprint TEXT,
        "amountMinor" BIGINT, ${textColumns.map(({ text }) => `"${text}" TEXT`).join(', ')}, "payBillNumber" TEXT
      )
    ), keyed AS (
      INSERT INTO idempotency_keys (scope, key, fingerprint, checkout_id, created_at)
      SELECT scope, key, decode(fingerprint, 'hex'), id, now FROM given
      WHERE "mayCreate" AND "isWalletOpen" AND key IS NOT NULL
      ORDER BY scope, key
      ON CONFLICT DO NOTHING
      RETURNING checkout_id
    ), made AS MATERIALIZED (
      SELECT * FROM given
      WHERE "mayCreate" AND "isWalletOpen" AND (key IS NULL OR id IN (SELECT checkout_id FROM keyed))
    ), ordered AS (
      INSERT INTO checkouts (
        id, account_id, amount_minor, ${textColumns.map(({ column }) => column).join(', ')}, created_at, expires_at
      )
      SELECT id, "accountId", "amountMinor", ${textColumns.map(({ text }) => `"${text}"`).join(', ')}, now, "expiresAt"
      FROM made
    ), numbered AS (
      INSERT INTO pay_bill_numbers AS held (number, checkout_id, given_at)
      SELECT "payBillNumber", id, now FROM made WHERE "payBillNumber" IS NOT NULL
      ON CONFLICT (number) DO UPDATE SET checkout_id = excluded.checkout_id, given_at = excluded.given_at
      WHERE held.given_at < excluded.given_at - interval '1 year'
    ), watched AS (
      -- A checkout of an account with a webhook is watched, because the account is notified of its expiry.
      INSERT INTO checkout_expiries (checkout_id, look_at)
      SELECT id, "expiresAt" FROM made
      WHERE (
        SELECT true FROM webhook_endpoints e
        WHERE e.account_id = made."accountId" AND (e.off_because IS NULL OR e.off_because = 'failing') LIMIT 1
      )
    )
    SELECT g.place, g.is_made AS "isMade", g.now AS "createdAt", g."expiresAt", g."isWalletOpen",
      k.checkout_id AS "earlierId", encode(k.fingerprint, 'hex') AS "earlierFingerprint"
    FROM (SELECT *, id IN (SELECT id FROM made) AS is_made FROM given OFFSET 0) g
    LEFT JOIN LATERAL (
      SELECT checkout_id, fingerprint FROM idempotency_keys k
      WHERE NOT g.is_made AND k.scope = g.scope AND k.key = g.key LIMIT 1
    ) k ON true`,
}

export const createCheckoutStatements = { save } as const

interface Row {
  readonly place: number
  readonly isMade: boolean
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly isWalletOpen: boolean
  readonly earlierId: string | null
  readonly earlierFingerprint: string | null
}

/**
 * Returns an answer for each command, in order; undefined for one whose key another command or transaction takes at the
 * same moment.
 */
export async function createCheckouts(
  pool: Pool,
  commands: readonly CreateCommand[],
  { country, lifeSeconds }: CreateTerms,
): Promise<(CreateAnswer | undefined)[]> {
  const given = commands.map((command, place) => {
    const { outcome } = decideCreateCheckout(ordinaryState, command, country)
    return { ...rowOf(command), place, mayCreate: outcome === 'create' }
  })
  const { rows } = await pool.query<Row>({ ...save, values: [JSON.stringify(given), lifeSeconds] })
  const found = new Map(rows.map((row) => [row.place, row]))
  return commands.map((command, place) => {
    const row = found.get(place)
    return row && answerOf(row, command, country)
  })
}

function answerOf(row: Row, command: CreateCommand, country: CountryRules) {
  const { isMade, createdAt, expiresAt } = row
  if (isMade) return { outcome: 'created', createdAt, expiresAt } as const
  const decided = decideCreateCheckout(readState(row), command, country)
  return decided.outcome === 'create' ? undefined : decided
}

function readState({ isWalletOpen, earlierId, earlierFingerprint }: Row): CreateState {
  const earlier =
    earlierId === null || earlierFingerprint === null
      ? undefined
      : { checkoutId: earlierId, fingerprint: earlierFingerprint }
  return { earlier, isWalletOpen }
}

function rowOf({ checkoutId: id, amountMinor, ...rest }: CreateCommand) {
  return { ...rest, id, amountMinor: String(amountMinor) }
}
