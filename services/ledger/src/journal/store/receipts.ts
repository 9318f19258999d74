import type { Minor } from '@malipo/kernel/money'
import type { Refund } from '../../refunds/rules/state'
import type { Database } from '../../database/database'
import { Prisma } from '../../database/generated/client'
import { providerOf } from '../rules/postings'

/** A request to give held money to an owner, and its decision. */
export interface Placement {
  readonly placementId: string
  readonly checkoutId: string | null
  readonly accountId: string | null
  readonly status: string
  readonly askedBy: string
  readonly askedAt: Date
  readonly decidedBy: string | null
}

export interface ReceiptStory {
  readonly holder: string | null
  readonly minor: Minor
  readonly transfers: readonly ReceiptTransfer[]
  readonly intents: readonly ReceiptIntent[]
  readonly refunds: readonly ReceiptRefund[]
  readonly actions: readonly OperatorAction[]
  readonly placements: readonly Placement[]
}

export interface ReceiptTransfer {
  readonly eventKey: string
  readonly debit: string
  readonly credit: string
  readonly minor: Minor
  readonly at: Date
}

export interface ReceiptIntent {
  readonly intentId: string
  readonly checkoutId: string | null
  readonly status: string
  readonly disposition: string
}

type ShownOfRefund = 'minor' | 'sentBy' | 'status' | 'providerCode'
type ActedOnRefund = 'askedBy' | 'decidedBy' | 'closing' | 'closingAskedBy' | 'closedBy'

export interface ReceiptRefund extends Pick<Refund, ShownOfRefund | ActedOnRefund> {
  readonly refundId: string
  readonly askedAt: Date
  readonly isContradicted: boolean
}

export interface OperatorAction {
  readonly at: Date
  readonly operator: string
  readonly did: string
  readonly note: string
}

/** Undefined for a receipt that was never posted. */
export async function findReceipt(
  db: Database,
  subject: string,
): Promise<ReceiptStory | undefined> {
  const [money] = await db.$queryRaw<{ holder: string | null; minor: Minor }[]>`
    SELECT holder, minor FROM money_of(${subject})`
  if (money === undefined) return undefined
  const transfers = await db.$queryRaw<ReceiptTransfer[]>`
    SELECT event_key AS "eventKey", debit, credit, minor, created_at AS at FROM transfers
    WHERE event_key IN (SELECT event || ':' || ${subject} FROM unnest(ARRAY['receipt', 'frozen', 'placed', 'refunded']) event)
    ORDER BY created_at, leg`
  const intents = await db.$queryRaw<ReceiptIntent[]>`
    SELECT id AS "intentId", checkout_id AS "checkoutId", status, disposition FROM intents
    WHERE receipt = split_part(${subject}, ':', 2) AND ${Prisma.raw(providerOfRail('rail'))} = split_part(${subject}, ':', 1)
    ORDER BY settled_at`
  const refunds = await db.$queryRaw<ReceiptRefund[]>`
    SELECT id AS "refundId", minor, sent_by AS "sentBy", status, operator_name(asked_by) AS "askedBy", asked_at AS "askedAt",
      operator_name(decided_by) AS "decidedBy", provider_code AS "providerCode",
      closing, operator_name(closing_asked_by) AS "closingAskedBy", operator_name(closed_by) AS "closedBy",
      EXISTS (SELECT FROM provider_messages m WHERE m.refund_id = r.id AND m.result = 'contradiction') AS "isContradicted"
    FROM refunds r WHERE provider || ':' || receipt = ${subject} ORDER BY asked_at`
  const actions = await db.$queryRaw<OperatorAction[]>`
    SELECT at, operator_name(operator) AS operator, did, note FROM operator_actions
    WHERE subject = ${subject} ORDER BY action`
  const placements = await db.$queryRaw<Placement[]>`
    SELECT id AS "placementId", checkout_id AS "checkoutId", account_id AS "accountId", status,
      operator_name(asked_by) AS "askedBy", asked_at AS "askedAt", operator_name(decided_by) AS "decidedBy"
    FROM placements WHERE subject = ${subject} ORDER BY asked_at`
  return { ...money, transfers, intents, refunds, actions, placements }
}

/** SQL of the provider that numbers the receipts of the rail in `column`. */
export function providerOfRail(column: string): string {
  const cases = Object.entries(providerOf).map(
    ([rail, provider]) => `WHEN '${rail}' THEN '${provider}'`,
  )
  return `CASE ${column} ${cases.join(' ')} END`
}

/** SQL of whether every intent that has a receipt belongs to another payment than the intent `i`; null if no intent has it. */
export function isOfOthers(receipt: string, provider: string): string {
  return `(
      SELECT bool_and(o.id <> i.id AND (o.checkout_id = i.checkout_id) IS NOT TRUE) FROM intents o
      WHERE o.receipt = ${receipt} AND ${providerOfRail('o.rail')} = ${provider}
    )`
}
