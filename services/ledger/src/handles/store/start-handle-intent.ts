import type { Pool } from 'pg'
import type { WalletState } from '../../journal/rules/postings'
import {
  type HandleState,
  decideStartHandle,
  type StartHandleAnswer,
  type StartHandleRequest,
} from '../rules/decide-start-handle'
import type { PublicIntent } from '../../intents/rules/decide-start'
import { micros, type Statement, type Transaction } from '../../database/transaction'
import { phonePrompts } from '../../intents/store/start-intent'
import {
  type Keyed,
  type KeyedCommand,
  loadStarts,
  startBatch,
} from '../../intents/store/save-start'

/** Locks the phones. A batch of one command may wait for its lock; a larger batch skips a phone that is locked. */
function locking(name: string, isWaiting: boolean): Statement {
  const phone = 'hashtextextended(item.phone, 0)'
  const isFree = isWaiting
    ? `pg_advisory_xact_lock(${phone}) IS NOT NULL`
    : `pg_try_advisory_xact_lock(${phone})`
  const text = `
    SELECT item.place::int - 1 AS place, ${isFree} AS "isFree"
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY item (account_id, phone, place)`
  return { name, text }
}

const lock = locking('lock_start_handle', true)
const lockFree = locking('lock_free_start_handle', false)

const load: Statement = {
  name: 'load_start_handle',
  text: `
    SELECT item.place::int - 1 AS place, ${micros('(SELECT clock_timestamp())')} AS now,
      CASE WHEN w.frozen_at IS NULL THEN 'open' ELSE 'frozen' END AS wallet,
      k.fingerprint, i.id AS "intentId", i.status, i.rail, i.amount_minor AS "amountMinor", i.settled_minor AS "settledMinor",
      ${phonePrompts('item.phone')} AS "phonePrompts"
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY item (account_id, phone, scope, key, place)
    JOIN wallets w ON w.account_id = item.account_id
    LEFT JOIN idempotency_keys k ON k.scope = item.scope AND k.key = item.key
    LEFT JOIN intents i ON i.id = k.intent_id`,
}

export const startHandleLoads = { lock, lockFree, load }

interface Row {
  readonly place: number
  readonly now: number
  readonly wallet: WalletState
  readonly fingerprint: Buffer | null
  readonly intentId: string
  readonly status: PublicIntent['status']
  readonly rail: PublicIntent['rail']
  readonly amountMinor: string
  readonly settledMinor: string | null
  readonly phonePrompts: readonly number[] | null
}

/** Locks the phones and reads what payments to handles are about; `unknown` where the account has no wallet. */
async function loadStartHandle(
  transaction: Transaction,
  requests: readonly (StartHandleCommand & Keyed)[],
  isWaiting: boolean,
): Promise<(HandleState | 'unknown' | undefined)[]> {
  return loadStarts<Row, HandleState>(transaction, requests, {
    lock: isWaiting ? lock : lockFree,
    load,
    about: [requests.map(({ payee }) => payee.accountId), requests.map(({ phone }) => phone)],
    read: readState,
  })
}

function readState(row: Row, given: Buffer): HandleState {
  const { now, wallet, fingerprint, phonePrompts: prompts } = row
  return {
    ...{ now, wallet },
    bound:
      fingerprint === null
        ? undefined
        : { intent: readIntent(row), isSameInput: fingerprint.equals(given) },
    phonePrompts: prompts ?? [],
  }
}

function readIntent({ intentId, status, rail, amountMinor, settledMinor }: Row): PublicIntent {
  return {
    ...{ intentId, status, rail },
    amountMinor: BigInt(amountMinor),
    settledMinor: settledMinor === null ? null : BigInt(settledMinor),
  }
}

export type StartHandleCommand = StartHandleRequest & KeyedCommand

interface Terms {
  readonly startSeconds: number
}

/** Returns an answer for each command, in order; undefined for one that has to be loaded again. */
export async function startHandleIntents(
  pool: Pool,
  commands: readonly StartHandleCommand[],
  { terms, isWaiting }: { readonly terms: Terms; readonly isWaiting: boolean },
): Promise<(StartHandleAnswer | undefined)[]> {
  const requests = commands.map((command) => ({
    ...command,
    scope: `pay handle ${command.payee.accountId}`,
  }))
  return startBatch(pool, requests, {
    load: (transaction, input) => loadStartHandle(transaction, input, isWaiting),
    // An idempotency key needs no lock: the save takes the key, or finds that another request has taken it.
    about: ({ phone, scope, key }) => [phone, JSON.stringify([scope, key])],
    decide: (state, request) => decideStartHandle(state, request, terms),
  })
}
