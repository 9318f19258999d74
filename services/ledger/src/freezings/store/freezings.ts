import type { Pool } from 'pg'
import {
  askFreezing as decideAsking,
  type AskFreezingOutcome,
  decideFreezing as decide,
  type DecideFreezingOutcome,
  type FreezingDecided,
  type FreezingRequest,
  type FreezingState,
  type WalletState,
} from '../domain/freezings/decide-freezing'
import type { Decision } from '../domain/refunds/decide-by-hand'
import type { Instant } from '../domain/settlement/state'
import { retryLostRaces } from './retry-lost-races'
import { micros, timestamp } from './settlement/columns'
import { inTransaction, Stale, type Statement, type Transaction } from './settlement/transaction'

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

const saveAsked: Statement = {
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

/** Asks to freeze a wallet or to thaw it. */
export async function askFreezing(
  pool: Pool,
  request: FreezingRequest,
): Promise<AskFreezingOutcome> {
  const { freezingId, accountId, isFrozen } = request
  return retryLostRaces(() =>
    inTransaction(pool, async (transaction) => {
      const { applied, action } = decideAsking(await readWallet(transaction, accountId), request)
      if (action !== undefined) {
        const { operator, did, note } = action
        const values = [freezingId, accountId, isFrozen, operator, did, note]
        const saved = await transaction.query(saveAsked, values)
        if (saved.length !== 1) throw new Stale('another freezing of the wallet was first')
      }
      return applied
    }),
  )
}

/** Reads behind the lock of the wallet what was committed while that was waited for. */
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
    SELECT ${micros('clock_timestamp()')} AS now, account_id AS "accountId", is_frozen AS "isFrozen", status,
      asked_by AS "askedBy"
    FROM freezings WHERE id = $1`,
}

/** Decides the freezing $1 while it is asked for, which the retirement of its asker may end; and changes its wallet. */
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

/** Freezes or thaws a wallet as another operator asked for, or withdraws that. */
export async function decideFreezing(
  pool: Pool,
  { freezingId, ...decision }: Decision & { readonly freezingId: string },
): Promise<DecideFreezingOutcome> {
  return retryLostRaces(() =>
    inTransaction(pool, async (transaction) => {
      const [, [state]] = await Promise.all([
        transaction.query(lockWalletOf, [freezingId]),
        transaction.query<FreezingState>(loadFreezing, [freezingId]),
      ])
      const { applied, writes } = decide(state, decision)
      if (state !== undefined && writes !== undefined) {
        await save(transaction, { freezingId, now: state.now, writes })
      }
      return applied
    }),
  )
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
