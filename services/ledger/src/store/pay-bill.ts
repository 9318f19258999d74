import type { Minor } from '@malipo/kernel/money'
import type { PayBillTarget } from '../domain/pay-bill'
import type { Database } from './database'
import type { Lease } from './due'
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

/** Whom an account number pays as a handle. */
export interface Payee {
  readonly accountId: string
  readonly handle: string
}

/** What a Pay Bill message says, or that nobody could read it. */
export type PayBillFact = PaidFact | { readonly kind: 'unreadable' }

export interface PaidFact {
  readonly kind: 'receipt'
  readonly receipt: string
  readonly amountMinor: Minor
  readonly paidAt: Date | undefined
  readonly account: string
  readonly payee: Payee | undefined
  /** Nobody could say whether there is one. */
  readonly isPayeeUnknown: boolean
  readonly phone: string | undefined
  readonly isWithinLimits: boolean
  readonly isSealed: boolean
  /** A checkout asks its payer for whole shillings. */
  readonly wholeMajorsOnly: boolean
  /** How long it keeps a checkout open when it is no more than a report. */
  readonly holdSeconds: number
  /** The most that a callback settles before the statement bears it out. */
  readonly unconfirmedMaxMinor: bigint
}

const nothing = {
  receipt: undefined,
  amountMinor: undefined,
  paidAt: undefined,
  account: undefined,
  payee: undefined,
  isPayeeUnknown: false,
  phone: undefined,
  isWithinLimits: false,
  isSealed: false,
  wholeMajorsOnly: false,
  holdSeconds: 0,
  unconfirmedMaxMinor: 0n,
}

/** Applies what a stored Pay Bill message says, once. Undefined when there is no such message. */
export async function applyPayBill(
  db: Database,
  messageId: string,
  fact: PayBillFact,
  newIntentId: string,
): Promise<Applied | undefined> {
  const said = fact.kind === 'receipt' ? fact : nothing
  const rows = await retryLostRaces(
    () => db.$queryRaw<Applied[]>`
      WITH applied AS (
        SELECT * FROM apply_pay_bill(
          p_message_id => ${messageId}, p_fact => ${fact.kind},
          p_receipt => ${said.receipt}, p_amount_minor => ${said.amountMinor}, p_paid_at => ${said.paidAt},
          p_account => ${said.account},
          p_payee_account_id => ${said.payee?.accountId}, p_payee_handle => ${said.payee?.handle},
          p_phone => ${said.phone}, p_is_within_limits => ${said.isWithinLimits},
          p_is_sealed => ${said.isSealed}, p_whole_majors_only => ${said.wholeMajorsOnly},
          p_hold_seconds => ${said.holdSeconds}, p_new_intent_id => ${newIntentId},
          p_unconfirmed_max_minor => ${said.unconfirmedMaxMinor}
        )
      ), wanted AS (
        INSERT INTO wanted_payees (message_id, receipt, next_action_at)
        SELECT ${messageId}, ${said.receipt}, clock_timestamp() FROM applied
        WHERE disposition = 'suspense_unmatched' AND ${said.isPayeeUnknown}
          -- What has an intent was for a number of ours.
          AND status IS NULL
      )
      SELECT result, status, status_before AS "statusBefore", kind, strength, disposition FROM applied`,
  )
  return rows[0]
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

/** Gives money that lies in suspense for want of its payee to that payee, once; or to nobody, when there is none. */
export async function placeWantedPayee(
  db: Database,
  messageId: string,
  { payee, isWithinLimits }: PaidFact,
  newIntentId: string,
): Promise<void> {
  await retryLostRaces(
    () => db.$queryRaw`
      SELECT FROM place_wanted_payee(
        p_message_id => ${messageId}, p_payee_account_id => ${payee?.accountId},
        p_payee_handle => ${payee?.handle}, p_is_within_limits => ${isWithinLimits},
        p_new_intent_id => ${newIntentId}
      )`,
  )
}

/** Leases the messages whose payee is wanted. */
export async function claimWantedPayees(
  db: Database,
  { limit, leaseSeconds }: Pick<Lease, 'limit' | 'leaseSeconds'>,
): Promise<{ readonly kind: 'read'; readonly id: string }[]> {
  return retryLostRaces(
    () => db.$queryRaw<{ kind: 'read'; id: string }[]>`
      SELECT 'read' AS kind, id FROM claim_wanted_payees(
        p_limit => ${limit}::int, p_lease_seconds => ${leaseSeconds}
      )`,
  )
}

interface PayBillQuestion {
  readonly payeeAccountId: string | undefined
  readonly wholeMajorsOnly: boolean
}

type FoundTarget = Omit<PayBillTarget, 'askedMinor'> & { readonly askedMinor: Minor | null }

/**
 * What an account number stands for: a checkout by its own number or by the reference of one of its attempts, an attempt
 * to pay a handle, or else the wallet of whoever has it as a handle.
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
    SELECT coalesce(m.asked_minor, asked_of(c.amount_minor, ${wholeMajorsOnly})) AS "askedMinor",
       w.frozen_at IS NULL AS "isWalletOpen",
      CASE WHEN c.id IS NULL THEN m.is_paid ELSE EXISTS (
        SELECT FROM intents paid WHERE paid.checkout_id = c.id AND paid.disposition = 'merchant'
      ) END AS "isPaid"
    FROM meant m LEFT JOIN checkouts c ON c.id = m.checkout_id
    JOIN wallets w ON w.account_id = coalesce(c.account_id, m.account_id)`
  const [found] = rows
  return found && { ...found, askedMinor: found.askedMinor ?? undefined }
}
