import type { Pool } from 'pg'
import type { Rail } from '@malipo/kernel/countries'
import {
  askFreezing as decideAsking,
  type AskFreezingOutcome,
  decideFreezing as decide,
  type DecideFreezingOutcome,
  type FreezingDecided,
  type FreezingRequest,
  type FreezingState,
  type WalletState,
} from '../rules/decide-freezing'
import type { Decision } from '../../refunds/rules/decide-by-hand'
import type { Instant } from '../../evidence/rules/state'
import {
  inRetriedTransaction,
  micros,
  timestamp,
  Stale,
  type Statement,
  type Transaction,
} from '../../database/transaction'
import { providerOf } from '../../journal/rules/postings'
import type { Database } from '../../database/database'
import { Prisma } from '../../database/generated/client'

const lockWallet: Statement = {
  name: 'lock_wallet_to_freeze',
  text: 'SELECT FROM wallets WHERE account_id = $1 FOR NO KEY UPDATE',
}

const loadWallet: Statement = {
  name: 'load_wallet_to_freeze',
  text: `
    SELECT w.frozen_at IS NOT NULL AS "isFrozen",
      EXISTS (SELECT FROM freezings f WHERE f.account_id = $1 AND f.status = 'asked') AS "isUnderway"
    FROM wallets w WHERE w.account_id = $1`,
}

const saveRequest: Statement = {
  name: 'save_asked_freezing',
  text: `
    WITH asked AS (
      INSERT INTO freezings (id, account_id, is_frozen, status, asked_by, asked_at)
      VALUES ($1, $2, $3, 'asked', $4, clock_timestamp())
      ON CONFLICT (account_id) WHERE status = 'asked' DO NOTHING
      RETURNING 1
    )
    SELECT note_action($4, $5, $2, $6) FROM asked`,
}

export async function askFreezing(
  pool: Pool,
  request: FreezingRequest,
): Promise<AskFreezingOutcome> {
  const { freezingId, accountId, shallFreeze } = request
  return inRetriedTransaction(pool, async (transaction) => {
    const { outcome, action } = decideAsking(await readWallet(transaction, accountId), request)
    if (action !== undefined) {
      const { operator, did, note } = action
      const values = [freezingId, accountId, shallFreeze, operator, did, note]
      const saved = await transaction.query(saveRequest, values)
      if (saved.length !== 1) throw new Stale('another freezing of the wallet was first')
    }
    return outcome
  })
}

/** Locks the wallet, and then reads, so that it sees what was committed during the wait. */
async function readWallet(transaction: Transaction, accountId: string): Promise<WalletState> {
  const [, [row]] = await Promise.all([
    transaction.query(lockWallet, [accountId]),
    transaction.query<{ isFrozen: boolean; isUnderway: boolean }>(loadWallet, [accountId]),
  ])
  return { wallet: row && { isFrozen: row.isFrozen }, isUnderway: row?.isUnderway ?? false }
}

const lockWalletOf: Statement = {
  name: 'lock_wallet_of_freezing',
  text: `
    SELECT FROM wallets WHERE account_id = (SELECT account_id FROM freezings WHERE id = $1) FOR NO KEY UPDATE`,
}

const loadFreezing: Statement = {
  name: 'load_freezing',
  text: `
    SELECT ${micros('clock_timestamp()')} AS now, account_id AS "accountId", is_frozen AS "shallFreeze", status,
      asked_by AS "askedBy"
    FROM freezings WHERE id = $1`,
}

/** Decides the freezing $1 and changes its wallet, unless the retirement of its asker has withdrawn it. */
const saveDecided: Statement = {
  name: 'save_decided_freezing',
  text: `
    WITH decided AS (
      UPDATE freezings SET status = $2, decided_by = $3, decided_at = $4 WHERE id = $1 AND status = 'asked'
      RETURNING 1
    ), changed AS (
      UPDATE wallets SET frozen_at = $6 WHERE account_id = $5
    )
    SELECT note_action($3, $7, $8, $9) FROM decided`,
}

export async function decideFreezing(
  pool: Pool,
  { freezingId, ...decision }: Decision & { readonly freezingId: string },
): Promise<DecideFreezingOutcome> {
  return inRetriedTransaction(pool, async (transaction) => {
    const [, [state]] = await Promise.all([
      transaction.query(lockWalletOf, [freezingId]),
      transaction.query<FreezingState>(loadFreezing, [freezingId]),
    ])
    const { outcome, writes } = decide(state, decision)
    if (state !== undefined && writes !== undefined) {
      await save(transaction, { freezingId, now: state.now, writes })
    }
    return outcome
  })
}

async function save(
  transaction: Transaction,
  { freezingId, now, writes: { status, wallet, action } }: DecidedFreezing,
): Promise<void> {
  const saved = await transaction.query(saveDecided, [
    ...[freezingId, status, action.operator, timestamp(now)],
    ...[wallet?.accountId ?? null, timestamp(wallet?.frozenAt ?? null)],
    ...[action.did, action.subject, action.note],
  ])
  if (saved.length !== 1) throw new Stale('another operator decided the freezing first')
}

interface DecidedFreezing {
  readonly freezingId: string
  readonly now: Instant
  readonly writes: NonNullable<FreezingDecided['writes']>
}

/** When the money of a payment was frozen, and when it came back; undefined while it has not. */
export interface Freezing {
  readonly frozenAt: Date
  readonly returnedAt: Date | undefined
  /** The money has neither come back nor been written off as never received. */
  readonly isHeld: boolean
}

/**
 * True of a transfer `f` that froze the money of a payment, until the money comes back or is written off (`refunded`).
 */
export const isStillFrozen = Prisma.sql`NOT EXISTS (
  SELECT FROM transfers later
  WHERE later.event_key IN ('placed:' || subject_of(f.event_key), 'refunded:' || subject_of(f.event_key)))`

/** Returns the freezing of each payment that was ever frozen, by its receipt. */
export async function findFreezings(
  db: Database,
  payments: readonly { readonly rail: string; readonly receipt: string | null }[],
): Promise<ReadonlyMap<string, Freezing>> {
  const subjects = payments.flatMap(({ rail, receipt }) =>
    receipt === null ? [] : [`${providerOf[rail as Rail]}:${receipt}`],
  )
  const rows = await db.$queryRaw<(Omit<Freezing, 'returnedAt'> & FoundReturn)[]>`
    SELECT split_part(given.subject, ':', 2) AS receipt, f.created_at AS "frozenAt", ${isStillFrozen} AS "isHeld",
      -- Frozen money comes back to the account that it was taken from: the wallet, or what its owner owes.
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
