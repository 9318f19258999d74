import type { Pool } from 'pg'
import { decidePayBill } from '../rules/decide-pay-bill'
import type { PaidFact, PayBillCommand, PayBillState } from '../rules/state'
import { receiptKey } from '../../evidence/rules/settle-receipt'
import type { Applied, Instant } from '../../evidence/rules/state'
import {
  intentColumns,
  type IntentRow,
  micros,
  readIntent,
  Stale,
  type Statement,
  type Transaction,
} from '../../database/transaction'
import { decideBatch, isPostedByHand } from '../../evidence/store/apply-evidence'
import { saveDecisions } from '../../evidence/store/save'
import { isOfOthers, providerOfRail } from '../../journal/store/receipts'
import { findAccounts } from './find-till-accounts'

/**
 * Locks what account numbers ($1) mean: the checkouts before the intents, as everywhere. An account number is the
 * reference of an intent, or the number of a checkout, or neither. For a payment to a till it may be the id of a
 * checkout.
 */
function locking(name: string, whatIsHeld: '' | 'SKIP LOCKED'): Statement {
  const text = `
    WITH meant AS MATERIALIZED (
      SELECT i.id, i.checkout_id FROM intents i WHERE i.attempt_reference = ANY ($1::text[])
      UNION ALL
      SELECT NULL, n.checkout_id FROM pay_bill_numbers n WHERE n.number = ANY ($1::text[])
    ), held AS MATERIALIZED (
      SELECT c.id FROM checkouts c WHERE c.id = ANY (ARRAY (SELECT checkout_id FROM meant) || $1::text[])
      ORDER BY c.id FOR NO KEY UPDATE ${whatIsHeld}
    ), locked AS MATERIALIZED (
      SELECT i.id FROM intents i
      WHERE i.id = ANY (ARRAY (
        SELECT meant.id FROM meant
        WHERE checkout_id IS NULL OR checkout_id = ANY (ARRAY (SELECT held.id FROM held))
      ))
      ORDER BY i.id FOR NO KEY UPDATE ${whatIsHeld}
    )
    SELECT locked.id FROM locked UNION ALL SELECT held.id FROM held`
  return { name, text }
}

const lock = locking('lock_pay_bill', '')
const lockFree = locking('lock_free_pay_bill', 'SKIP LOCKED')

/** Reads what account numbers mean, once that is locked. $1 names the messages, which `message` finds. */
function loading(
  name: string,
  of: { readonly type: string; readonly message: string; readonly reports: string },
): Statement {
  const text = `
    SELECT item.place::int - 1 AS place, ${micros('(SELECT clock_timestamp())')} AS now,
      m.id AS "messageId", m.kind, m.source_known AS "isSourceKnown", m.result, m.strength,
      c.id AS "paidCheckoutId", c.account_id AS "checkoutAccountId", c.amount_minor AS "checkoutMinor",
      w.account_id AS "payeeAccountId", w.frozen_at IS NOT NULL AS "isFrozen",
      (SELECT true FROM intents paid
        WHERE paid.checkout_id = c.id AND paid.disposition = 'merchant' LIMIT 1) AS "isCheckoutPaid",
      (SELECT sum(t.minor) FROM transfers t WHERE t.event_key = item.event_key)::bigint AS "postedMinor",
      ${isPostedByHand} AS "isPostedByHand", ${of.reports} AS reports,
      CASE WHEN i.settled_at IS NULL THEN ${isOfOthers('item.receipt', providerOfRail('i.rail'))} END AS "isReceiptOfAnother",
      (i.id IS NULL OR i.id = ANY ($5::text[])) AND (c.id IS NULL OR c.id = ANY ($5::text[])) AS "isLocked",
      (SELECT to_jsonb(one) FROM (SELECT ${intentColumns}) one WHERE i.id IS NOT NULL) AS intent
    FROM unnest($1::${of.type}[], $2::text[], $3::text[], $4::text[], $6::text[]) WITH ORDINALITY
      item (message, account, payee_account_id, event_key, receipt, place)
    ${of.message}
    LEFT JOIN intents i ON i.attempt_reference = item.account
    LEFT JOIN checkouts c ON c.id = coalesce(
      i.checkout_id, (SELECT n.checkout_id FROM pay_bill_numbers n WHERE n.number = item.account), item.account
    )
    -- A number of ours is no handle, so the handle is the last that the account number can mean. A handle without a
    -- wallet here has no owner in this cell.
    LEFT JOIN wallets w ON w.account_id = coalesce(c.account_id, i.account_id, item.payee_account_id)`
  return { name, text }
}

const load = loading('load_pay_bill', {
  type: 'text',
  message: `JOIN provider_messages m ON m.id = item.message AND m.rail = 'paybill'`,
  reports: `(SELECT jsonb_agg(jsonb_build_object('minor', r.minor::text, 'checkoutId', r.checkout_id))
        FROM pay_bill_reports r WHERE r.receipt = item.receipt)`,
})

/**
 * Finds the messages by their digests, because a row of the statement that was not kept before has no id of a message.
 */
const loadRows = loading('load_statement_rows', {
  type: 'bytea',
  // LIMIT: a plan that was made while there were few messages must not read them all, once for each row.
  message: `LEFT JOIN LATERAL (
      SELECT m.id, m.kind, m.source_known, m.result, m.strength FROM provider_messages m
      WHERE m.digest = item.message AND m.intent_id IS NULL LIMIT 1
    ) m ON true`,
  // The statement is believed, whatever callbacks reported.
  reports: 'NULL::jsonb',
})

/** The statements of one batch, for tests that measure them. */
export const payBillStatements = { lock, lockFree, load, loadRows }

interface Row {
  readonly place: number
  readonly now: number
  readonly messageId: string
  readonly kind: PayBillState['message']['kind']
  readonly isSourceKnown: boolean
  readonly result: PayBillState['message']['result']
  readonly strength: PayBillState['message']['strength']
  readonly paidCheckoutId: string | null
  readonly checkoutAccountId: string
  readonly checkoutMinor: string
  readonly payeeAccountId: string | null
  readonly isFrozen: boolean
  readonly isCheckoutPaid: true | null
  readonly isPostedByHand: true | null
  readonly isReceiptOfAnother: boolean | null
  readonly postedMinor: string | null
  readonly reports: readonly { readonly minor: string; readonly checkoutId: string | null }[] | null
  /** False where another transaction has locked what the account number means, or has just created it. */
  readonly isLocked: boolean
  readonly intent: IntentRow | null
}

/** Applies messages about money from the Pay Bill menu, as `applyEvidence` does. */
export async function applyPayBill(
  pool: Pool,
  commands: readonly PayBillCommand[],
  isWaiting: boolean,
): Promise<(Applied | undefined)[]> {
  return decideBatch(pool, {
    async consider(transaction) {
      const states = await loadPayBill(transaction, commands, isWaiting)
      return commands.map((command, place) => {
        const state = states[place]
        return (
          state && {
            now: state.now,
            about: [state.intent?.id ?? null, state.checkout?.id ?? null],
            decided: decidePayBill(state, command),
          }
        )
      })
    },
    save: saveDecisions,
  })
}

/**
 * Locks and reads what Pay Bill messages are about, each at the index of its command. Undefined where it is not
 * locked.
 */
async function loadPayBill(
  transaction: Transaction,
  commands: readonly PayBillCommand[],
  isWaiting: boolean,
): Promise<(PayBillState | undefined)[]> {
  const facts = commands.map(({ fact }) => (fact.kind === 'receipt' ? fact : undefined))
  const accounts = await findAccounts(transaction, facts)
  const locked = await transaction.query<Id>(isWaiting ? lock : lockFree, [accounts])
  const rows = await transaction.query<Row>(load, [
    commands.map(({ messageId }) => messageId),
    ...valuesOf(facts, accounts, locked),
  ])
  if (isWaiting && rows.some((row) => !row.isLocked)) throw new Stale('the account number is new')
  const states = new Map(
    rows.filter((row) => row.isLocked).map((row) => [row.place, read(row, row)]),
  )
  return commands.map((_, place) => states.get(place))
}

export interface LoadedRow {
  readonly now: Instant
  /** The message of a row that was kept before. */
  readonly messageId: string | undefined
  /** Undefined where another transaction has locked what the row is about. */
  readonly state: PayBillState | undefined
}

/**
 * Reads what rows of the statement are about, each at its index, and locks of it what no other transaction has locked.
 */
export async function loadStatementRows(
  transaction: Transaction,
  rows: readonly {
    readonly digest: Buffer
    readonly messageId: string
    readonly fact: PaidFact | undefined
  }[],
): Promise<LoadedRow[]> {
  const facts = rows.map(({ fact }) => fact)
  const accounts = await findAccounts(transaction, facts)
  const locked = await transaction.query<Id>(lockFree, [accounts])
  const digests = rows.map(({ digest }) => digest)
  const values = valuesOf(facts, accounts, locked)
  const found = await transaction.query<FoundRow>(loadRows, [digests, ...values])
  const loaded = new Map(found.map((row) => [row.place, row]))
  return rows.map(({ messageId: newId }, place) => {
    const row = loaded.get(place)
    if (row === undefined) throw new Error('a row was not loaded')
    const { messageId } = row
    const message = messageId === null ? { ...newMessage, messageId: newId } : { ...row, messageId }
    return {
      now: row.now,
      messageId: messageId ?? undefined,
      state: row.isLocked ? read(row, message) : undefined,
    }
  })
}

type FoundRow = Omit<Row, 'messageId'> & { readonly messageId: string | null }
type ReadMessage = Pick<Row, 'messageId' | 'kind' | 'isSourceKnown' | 'result' | 'strength'>

/** The message of a row that has none yet. Its source is known, as we fetch rows over TLS. */
const newMessage: Omit<ReadMessage, 'messageId'> = {
  ...{ kind: 'statement_row', isSourceKnown: true, result: null, strength: null },
}

interface Id {
  readonly id: string
}

function valuesOf(
  facts: readonly (PaidFact | undefined)[],
  accounts: readonly (string | null)[],
  locked: readonly Id[],
): unknown[] {
  return [
    accounts,
    facts.map((fact) => fact?.payee?.accountId ?? null),
    facts.map((fact) => (fact === undefined ? null : receiptKey('paybill', fact.receipt))),
    locked.map(({ id }) => id),
    facts.map((fact) => fact?.receipt ?? null),
  ]
}

function read(row: Omit<Row, 'messageId'>, message: ReadMessage): PayBillState {
  const { messageId: id, kind, isSourceKnown, result, strength } = message
  const { paidCheckoutId, payeeAccountId } = row
  return {
    now: row.now,
    message: { id, kind, isSourceKnown, result, strength },
    checkout:
      paidCheckoutId === null
        ? undefined
        : {
            id: paidCheckoutId,
            accountId: row.checkoutAccountId,
            amountMinor: BigInt(row.checkoutMinor),
          },
    intent: row.intent === null ? undefined : readIntent(row.intent),
    wallet:
      payeeAccountId === null
        ? undefined
        : { accountId: payeeAccountId, state: row.isFrozen ? 'frozen' : 'open' },
    isCheckoutPaid: row.isCheckoutPaid ?? false,
    isPostedByHand: row.isPostedByHand ?? false,
    isReceiptOfAnother: row.isReceiptOfAnother ?? false,
    postedMinor: row.postedMinor === null ? undefined : BigInt(row.postedMinor),
    reports: (row.reports ?? []).map((one) => ({ ...one, minor: BigInt(one.minor) })),
  }
}
