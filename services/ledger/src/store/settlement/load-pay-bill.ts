import type { PayBillCommand, PayBillState } from '../../domain/settlement/decide-pay-bill'
import { receiptKey } from '../../domain/settlement/settle-receipt'
import { intentColumns, type IntentRow, micros, readIntent } from './columns'
import { Stale, type Statement, type Transaction } from './transaction'

/**
 * Locks in the one order: the checkouts, then the intents. An account number is the reference of an intent, or the number
 * of a checkout, or neither.
 */
function locking(name: string, whatIsHeld: '' | 'SKIP LOCKED'): Statement {
  const text = `
    WITH meant AS MATERIALIZED (
      SELECT i.id, i.checkout_id FROM intents i WHERE i.attempt_reference = ANY ($1::text[])
      UNION ALL
      SELECT NULL, n.checkout_id FROM pay_bill_numbers n WHERE n.number = ANY ($1::text[])
    ), held AS MATERIALIZED (
      SELECT c.id FROM checkouts c WHERE c.id = ANY (ARRAY (SELECT checkout_id FROM meant))
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

const load: Statement = {
  name: 'load_pay_bill',
  text: `
    SELECT item.place::int - 1 AS place, ${micros('(SELECT clock_timestamp())')} AS now,
      m.id AS "messageId", m.kind, m.source_known AS "isSourceKnown", m.result, m.strength,
      c.id AS "paidCheckoutId", c.account_id AS "checkoutAccountId", c.amount_minor AS "checkoutMinor",
      w.account_id AS "payeeAccountId", w.frozen_at IS NOT NULL AS "isFrozen",
      (SELECT true FROM intents paid
        WHERE paid.checkout_id = c.id AND paid.disposition = 'merchant' LIMIT 1) AS "isCheckoutPaid",
      (SELECT true FROM transfers t WHERE t.event_key = item.event_key LIMIT 1) AS "isPosted",
      (i.id IS NULL OR i.id = ANY ($5::text[])) AND (c.id IS NULL OR c.id = ANY ($5::text[])) AS "isLocked",
      ${intentColumns}
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY
      item (message_id, account, payee_account_id, event_key, place)
    JOIN provider_messages m ON m.id = item.message_id AND m.rail = 'paybill'
    LEFT JOIN intents i ON i.attempt_reference = item.account
    LEFT JOIN checkouts c ON c.id = coalesce(
      i.checkout_id, (SELECT n.checkout_id FROM pay_bill_numbers n WHERE n.number = item.account)
    )
    -- A number of ours is no handle, so the handle is the last that the account number can mean. A handle without a
    -- wallet here has no owner in this country.
    LEFT JOIN wallets w ON w.account_id = coalesce(c.account_id, i.account_id, item.payee_account_id)`,
}

/** What one batch runs, for those who measure it. */
export const payBillStatements = { lock, lockFree, load }

type Row = (IntentRow | { readonly id: null }) & {
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
  readonly isPosted: true | null
  /** False where the account number got its meaning after the lock, or another transaction holds what it means. */
  readonly isLocked: boolean
}

/** Locks and reads what Pay Bill messages are about, each in its place; as `loadEvidence` does. */
export async function loadPayBill(
  transaction: Transaction,
  commands: readonly PayBillCommand[],
  isWaiting: boolean,
): Promise<(PayBillState | undefined)[]> {
  const facts = commands.map(({ fact }) => (fact.kind === 'receipt' ? fact : undefined))
  const accounts = facts.map((fact) => fact?.account ?? null)
  const locked = await transaction.query<{ id: string }>(isWaiting ? lock : lockFree, [accounts])
  const rows = await transaction.query<Row>(load, [
    commands.map(({ messageId }) => messageId),
    accounts,
    facts.map((fact) => fact?.payee?.accountId ?? null),
    facts.map((fact) => (fact === undefined ? null : receiptKey('paybill', fact.receipt))),
    locked.map(({ id }) => id),
  ])
  if (isWaiting && rows.some((row) => !row.isLocked)) throw new Stale('the account number is new')
  const states = new Map(rows.filter((row) => row.isLocked).map((row) => [row.place, read(row)]))
  return commands.map((_, place) => states.get(place))
}

function read(row: Row): PayBillState {
  const { messageId, kind, isSourceKnown, result, strength, paidCheckoutId, payeeAccountId } = row
  return {
    now: row.now,
    message: { id: messageId, kind, isSourceKnown, result, strength },
    checkout:
      paidCheckoutId === null
        ? undefined
        : {
            id: paidCheckoutId,
            accountId: row.checkoutAccountId,
            amountMinor: BigInt(row.checkoutMinor),
          },
    intent: row.id === null ? undefined : readIntent(row),
    wallet:
      payeeAccountId === null
        ? undefined
        : { accountId: payeeAccountId, state: row.isFrozen ? 'frozen' : 'open' },
    isCheckoutPaid: row.isCheckoutPaid ?? false,
    isPosted: row.isPosted ?? false,
  }
}
