import type { PlacingOwner, PlacingState } from '../rules/place-money'
import type { RefundStatus } from '../../refunds/rules/refund'
import { providerOfRail } from '../../journal/store/receipts'
import {
  intentColumns,
  type IntentRow,
  micros,
  readIntent,
  type Statement,
  type Transaction,
} from '../../database/transaction'

const lockCheckout: Statement = {
  name: 'lock_placing_checkout',
  text: 'SELECT FROM checkouts WHERE id = $1 FOR NO KEY UPDATE',
}

const lockReceipt: Statement = {
  name: 'lock_placing_receipt',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('receipt:' || $1, 0))`,
}

/** True of an intent `i` that has the receipt $2 of the provider $1, and whose money is held. */
const isHeld = `i.receipt = $2 AND ${providerOfRail('i.rail')} = $1 AND i.disposition LIKE 'suspense\\_%'`

const lockHeld: Statement = {
  name: 'lock_placing_intents',
  text: `SELECT FROM intents i WHERE ${isHeld} ORDER BY i.id FOR NO KEY UPDATE`,
}

/** Loads by the provider $1 and its receipt $2, and by the checkout $3 or the account $4 that is to get the money. */
const load: Statement = {
  name: 'load_placing',
  text: `
    SELECT ${micros('clock_timestamp()')} AS now, money.holder, money.minor AS "moneyMinor",
      ARRAY (SELECT r.status FROM refunds r WHERE r.provider = $1 AND r.receipt = $2) AS refunds,
      EXISTS (SELECT FROM placements p WHERE p.subject = $1 || ':' || $2 AND p.status = 'asked') AS "isAsked",
      c.amount_minor AS "checkoutMinor",
      EXISTS (SELECT FROM intents paid WHERE paid.checkout_id = c.id AND paid.disposition = 'merchant') AS "isPaid",
      w.account_id AS "accountId", w.frozen_at IS NULL AS "isOpen",
      (SELECT jsonb_agg(to_jsonb(one) ORDER BY one.id) FROM (
        SELECT ${intentColumns} FROM intents i WHERE ${isHeld}
      ) one) AS held
    FROM (SELECT) one LEFT JOIN money_of($1 || ':' || $2) money ON true
    LEFT JOIN checkouts c ON c.id = $3::text
    LEFT JOIN wallets w ON w.account_id = CASE WHEN $3::text IS NULL THEN $4::text ELSE c.account_id END`,
}

interface Row {
  readonly now: number
  readonly holder: string | null
  readonly moneyMinor: string | null
  readonly refunds: readonly RefundStatus[]
  readonly isAsked: boolean
  readonly checkoutMinor: string | null
  readonly isPaid: boolean
  readonly accountId: string | null
  readonly isOpen: boolean
  readonly held: readonly IntentRow[] | null
}

export type LoadedPlacing = PlacingState & { readonly isAsked: boolean }

/** Locks the checkout before the receipt, as everywhere, so that two transactions do not deadlock. */
export async function lockPlacing(
  transaction: Transaction,
  subject: string,
  { checkoutId }: PlacingOwner,
): Promise<void> {
  if (checkoutId !== null) await transaction.query(lockCheckout, [checkoutId])
  await transaction.query(lockReceipt, [subject])
}

/** Locks the intents that have the receipt, and then reads, so that it sees what was committed during the wait. */
export async function loadPlacing(
  transaction: Transaction,
  subject: string,
  { checkoutId, accountId }: PlacingOwner,
): Promise<LoadedPlacing> {
  const [provider = '', receipt = ''] = subject.split(':')
  await transaction.query(lockHeld, [provider, receipt])
  const [row] = await transaction.query<Row>(load, [provider, receipt, checkoutId, accountId])
  if (row === undefined) throw new Error(`the receipt ${subject} was not loaded`)
  const { now, holder, moneyMinor, refunds, isAsked, checkoutMinor, isPaid, isOpen, held } = row
  return {
    ...{ now, provider, receipt, refunds, isAsked },
    money: moneyMinor === null ? undefined : { holder, minor: BigInt(moneyMinor) },
    checkout:
      checkoutId === null || checkoutMinor === null
        ? undefined
        : { id: checkoutId, amountMinor: BigInt(checkoutMinor), isPaid },
    wallet: row.accountId === null ? undefined : { accountId: row.accountId, isOpen },
    held: (held ?? []).map(readIntent),
  }
}
