import type { Minor } from '@malipo/kernel/money'
import { askedMinorOf } from '../../intents/rules/decide-start'
import type { PayBillTarget } from '../rules/pay-bill'
import type { Database } from '../../database/database'
import type { StoreMessageCommand } from '../../evidence/store/provider-messages'
import { retryLostRaces } from '../../database/transaction'

type NewPayBillMessage = Pick<
  StoreMessageCommand,
  'messageId' | 'kind' | 'body' | 'sourceAddress' | 'sourceKnown'
>

/** Stores a message about money that no prompt asked for. Returns its id, or the earlier id if it was stored before. */
export async function storePayBillMessage(
  db: Database,
  { messageId, kind, body, sourceAddress, sourceKnown }: NewPayBillMessage,
): Promise<string> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<[{ id: string }]>`
      INSERT INTO provider_messages AS kept (
        id, rail, kind, body, digest, source_address, source_known, received_at, next_action_at
      ) VALUES (
        ${messageId}, 'paybill', ${kind}, ${body},
        sha256(convert_to(${kind} || ' ' || ${String(sourceKnown)}, 'UTF8') || ${body}),
        ${sourceAddress}, ${sourceKnown}, clock_timestamp(), clock_timestamp() + interval '1 second'
      )
      ON CONFLICT (digest) WHERE intent_id IS NULL DO UPDATE SET deliveries = kept.deliveries + 1
      RETURNING id`,
  )
  return rows[0].id
}

/** The checkout that a receipt was paid to, if it was paid to one. */
export async function findPaidCheckout(db: Database, receipt: string): Promise<string | undefined> {
  const found = await db.intent.findFirst({
    where: { receipt, checkoutId: { not: null } },
    select: { checkoutId: true },
    orderBy: { createdAt: 'desc' },
  })
  return found?.checkoutId ?? undefined
}

interface PayBillQuestion {
  readonly payeeAccountId: string | undefined
  readonly wholeMajorsOnly: boolean
}

type FoundTarget = Omit<PayBillTarget, 'askedMinor'> & {
  /** What the attempt asks for, if its reference was typed; null for the account number of a checkout or a handle. */
  readonly askedMinor: Minor | null
  readonly checkoutMinor: Minor | null
}

/**
 * What an account number stands for: a checkout by its own number or by the reference of one of its attempts, an attempt
 * to pay a handle, or else the wallet of the handle's owner.
 */
export async function findPayBillTarget(
  db: Database,
  account: string,
  { payeeAccountId, wholeMajorsOnly }: PayBillQuestion,
): Promise<PayBillTarget | undefined> {
  const rows = await db.$queryRaw<FoundTarget[]>`
    WITH meant AS (
      SELECT checkout_id, account_id, asked_minor, settled_at IS NOT NULL AS is_paid
      FROM intents WHERE attempt_reference = ${account}
      UNION ALL
      SELECT checkout_id, NULL, NULL, false FROM pay_bill_numbers WHERE number = ${account}
      UNION ALL
      SELECT NULL, ${payeeAccountId}::text, NULL, false
      LIMIT 1
    )
    SELECT m.asked_minor AS "askedMinor", c.amount_minor AS "checkoutMinor", w.frozen_at IS NULL AS "isWalletOpen",
      CASE WHEN c.id IS NULL THEN m.is_paid ELSE EXISTS (
        SELECT FROM intents paid WHERE paid.checkout_id = c.id AND paid.disposition = 'merchant'
      ) END AS "isPaid"
    FROM meant m LEFT JOIN checkouts c ON c.id = m.checkout_id
    JOIN wallets w ON w.account_id = coalesce(c.account_id, m.account_id)`
  const [found] = rows
  if (found === undefined) return undefined
  const { askedMinor, checkoutMinor, ...target } = found
  const ofCheckout =
    checkoutMinor === null ? undefined : askedMinorOf(checkoutMinor, wholeMajorsOnly)
  return { ...target, askedMinor: askedMinor ?? ofCheckout }
}
