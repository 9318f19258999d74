import type { Minor } from '@malipo/kernel/money'
import type { PayBillTarget } from '../domain/pay-bill'
import type { Database } from './database'
import type { Applied } from './evidence'
import type { NewProviderMessage } from './provider-messages'
import { retryLostRaces } from './retry-lost-races'

type NewPayBillMessage = Pick<
  NewProviderMessage,
  'messageId' | 'kind' | 'body' | 'sourceAddress' | 'sourceKnown'
>

/** Keeps a message about money that nobody asked for, and answers its id: an earlier one when it was kept before. */
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

/** What a Pay Bill message says, or that nobody could read it. */
export type PayBillFact =
  | { readonly kind: 'unreadable' }
  | {
      readonly kind: 'receipt'
      readonly receipt: string
      readonly amountMinor: Minor
      readonly paidAt: Date | undefined
      readonly account: string
      readonly phone: string
      readonly isSealed: boolean
    }

/** Applies what a stored Pay Bill message says, once. Undefined when there is no such message. */
export async function applyPayBill(
  db: Database,
  messageId: string,
  fact: PayBillFact,
  newIntentId: string,
): Promise<Applied | undefined> {
  const said = fact.kind === 'receipt' ? fact : undefined
  const rows = await retryLostRaces(
    () => db.$queryRaw<Applied[]>`
      SELECT result, status, status_before AS "statusBefore", kind, strength, disposition
      FROM apply_pay_bill(
        p_message_id => ${messageId}, p_fact => ${fact.kind},
        p_receipt => ${said?.receipt}, p_amount_minor => ${said?.amountMinor}, p_paid_at => ${said?.paidAt},
        p_account => ${said?.account}, p_phone => ${said?.phone},
        p_is_sealed => ${said?.isSealed ?? false}, p_new_intent_id => ${newIntentId}
      )`,
  )
  return rows[0]
}

/** Whose account number it is: a checkout's own, or the reference of one of its attempts. */
export async function findPayBillTarget(
  db: Database,
  account: string,
): Promise<PayBillTarget | undefined> {
  const rows = await db.$queryRaw<PayBillTarget[]>`
    SELECT c.amount_minor AS "amountMinor", w.frozen_at IS NULL AS "isWalletOpen", EXISTS (
      SELECT FROM intents paid WHERE paid.checkout_id = c.id AND paid.disposition = 'merchant'
    ) AS "isPaid"
    FROM checkouts c JOIN wallets w ON w.account_id = c.account_id
    WHERE c.id = coalesce(
      (SELECT checkout_id FROM intents i WHERE i.attempt_reference = ${account}),
      (SELECT checkout_id FROM pay_bill_numbers n WHERE n.number = ${account})
    )`
  return rows[0]
}
