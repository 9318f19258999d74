import type { Rail } from '@malipo/kernel/countries'
import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { Minor } from '@malipo/kernel/money'
import type { IntentStatus } from '../../intents/rules/intent'
import { Prisma } from '../../database/generated/client'
import { providerOfRail } from '../../journal/store/receipts'

/** What was to be paid: a checkout, or an intent to pay a handle. */
export interface PaymentHead {
  readonly checkoutId: string | null
  readonly accountId: string
  readonly minor: Minor
  readonly reference: string | null
  readonly description: string | null
}

export interface StoryIntent {
  readonly intentId: string
  readonly status: IntentStatus
  readonly rail: Rail
  readonly phoneTail: string | null
  readonly cause: FailureCause | null
  readonly providerRequestId: string | null
  readonly startedAt: Date
}

export interface StoryReceipt {
  readonly subject: string
  readonly minor: Minor
  readonly holder: string | null
}

export interface StoryEvent {
  readonly at: Date
  readonly kind: PaymentEventKind
  readonly subject: string
  readonly outcome: string
  readonly detail: string
  readonly minor: Minor | null
}

export interface PaymentStory {
  readonly head: PaymentHead
  readonly intents: readonly StoryIntent[]
  readonly receipts: readonly StoryReceipt[]
  readonly events: readonly StoryEvent[]
}

export type PaymentId = { readonly checkoutId: string } | { readonly intentId: string }

/** The most intents, and the most events, that fit in one message. */
const intentsMax = 50
const eventsMax = 250

/** Undefined for an unknown id. */
export async function findPaymentStory(
  db: Prisma.TransactionClient,
  id: PaymentId,
): Promise<PaymentStory | undefined> {
  const [head] = await db.$queryRaw<PaymentHead[]>(
    'checkoutId' in id
      ? Prisma.sql`
        SELECT id AS "checkoutId", account_id AS "accountId", amount_minor AS minor, reference, description
        FROM checkouts WHERE id = ${id.checkoutId}`
      : Prisma.sql`
        SELECT NULL AS "checkoutId", account_id AS "accountId", amount_minor AS minor, handle AS reference, NULL AS description
        FROM intents WHERE id = ${id.intentId} AND checkout_id IS NULL`,
  )
  if (head === undefined) return undefined
  const ofPayment =
    'checkoutId' in id
      ? Prisma.sql`i.checkout_id = ${id.checkoutId}`
      : Prisma.sql`i.id = ${id.intentId}`
  const intents = await db.$queryRaw<StoryIntent[]>`
    SELECT * FROM (
      SELECT i.id AS "intentId", i.status, i.rail, right(i.phone, 3) AS "phoneTail", i.cause,
        coalesce(i.provider_request_id, i.callback_request_id) AS "providerRequestId", i.created_at AS "startedAt"
      FROM intents i WHERE ${ofPayment} ORDER BY i.created_at DESC LIMIT ${intentsMax}
    ) newest ORDER BY "startedAt"`
  const receipts = await db.$queryRaw<StoryReceipt[]>`
    SELECT r.subject, m.minor, m.holder FROM (
      SELECT DISTINCT ${Prisma.raw(providerOfRail('i.rail'))} || ':' || i.receipt AS subject FROM intents i
      WHERE ${ofPayment} AND i.receipt IS NOT NULL
    ) r CROSS JOIN LATERAL money_of(r.subject) m`
  const events = await listEvents(
    db,
    head.checkoutId,
    intents.map(({ intentId }) => intentId),
    receipts.map(({ subject }) => subject),
  )
  return { head, intents, receipts, events }
}

/** SQL of the detail of a message, after its kind. The strength is first, as it decides what the message may change. */
const ofMessage = Prisma.sql`concat_ws(', ', m.strength, m.fact, CASE WHEN m.deliveries > 1 THEN m.deliveries || ' times' END,
        CASE WHEN m.source_known THEN 'listed address' WHEN m.kind = 'callback' THEN 'unlisted address' END, m.receipt, m.detail)`

async function listEvents(
  db: Prisma.TransactionClient,
  checkoutId: string | null,
  intentIds: readonly string[],
  subjects: readonly string[],
): Promise<StoryEvent[]> {
  const [ids, receipts] = [[...intentIds], [...subjects]]
  const names = [checkoutId ?? '', ...ids, ...receipts]
  return db.$queryRaw<StoryEvent[]>`
    WITH refund AS (
      SELECT r.* FROM unnest(${receipts}::text[]) subject
      JOIN refunds r ON r.provider = split_part(subject, ':', 1) AND r.receipt = split_part(subject, ':', 2)
    ), listed AS (
      -- Each by its own index: one condition that joins the three with OR would read all messages.
      SELECT id FROM provider_messages WHERE intent_id = ANY (${ids}::text[]) AND digest IS NULL
      UNION
      SELECT id FROM provider_messages WHERE intent_id = ANY (${ids}::text[]) AND digest IS NOT NULL
      UNION
      SELECT m.id FROM refund r JOIN provider_messages m ON m.refund_id = r.id
      UNION
      SELECT message_id FROM pay_bill_reports WHERE checkout_id = ${checkoutId}
    ), happened (at, kind, subject, outcome, detail, minor) AS (
      SELECT c.created_at, 'checkout', c.id, 'created', 'open until ' || to_char(c.expires_at AT TIME ZONE 'EAT', 'YYYY-MM-DD HH24:MI:SS'),
        c.amount_minor FROM checkouts c WHERE c.id = ${checkoutId}
      UNION ALL
      SELECT s.at, 'step', s.intent_id, s.to_status, s.event, NULL FROM intent_steps s WHERE s.intent_id = ANY (${ids}::text[])
      UNION ALL
      SELECT w.began_at, 'call', w.intent_id, coalesce(w.outcome, 'no answer recorded'),
        concat_ws(', ', w.rail, w.platform, (extract(epoch FROM w.ended_at - w.began_at) * 1000)::int || ' ms', w.detail), NULL
      FROM wire_attempts w WHERE w.intent_id = ANY (${ids}::text[])
      UNION ALL
      SELECT m.received_at, 'message', m.id, coalesce(m.result, 'not applied yet'), concat_ws(', ', m.kind, ${ofMessage}), NULL
      FROM listed JOIN provider_messages m ON m.id = listed.id
      UNION ALL
      SELECT t.created_at, 'transfer', subject_of(t.event_key), split_part(t.event_key, ':', 1), t.debit || ' to ' || t.credit, t.minor
      FROM transfers t WHERE t.event_key IN (
        SELECT event || ':' || subject FROM unnest(${receipts}::text[]) subject,
          unnest(ARRAY['receipt', 'frozen', 'placed', 'refunded']) event)
      UNION ALL
      SELECT coalesce(d.attempted_at, d.created_at), 'delivery', d.endpoint_id, d.status,
        concat_ws(', ', e.type, d.attempts || ' attempts', 'HTTP ' || d.answer_status, d.failure), NULL
      FROM webhook_events e JOIN webhook_deliveries d ON d.event_id = e.id
      WHERE e.account_id = (SELECT account_id FROM checkouts WHERE id = ${checkoutId}) AND e.subject_id = ${checkoutId}
      UNION ALL
      SELECT r.asked_at, 'refund', r.id, r.status,
        concat_ws(', ', 'asked by ' || operator_name(r.asked_by), 'decided by ' || operator_name(r.decided_by), r.provider_code), r.minor
      FROM refund r
      UNION ALL
      SELECT a.at, 'action', a.subject, a.did, concat_ws(': ', operator_name(a.operator), a.note), NULL
      FROM operator_actions a WHERE a.subject = ANY (${names}::text[] || ARRAY (SELECT id FROM refund))
    )
    SELECT * FROM (
      SELECT at, kind, subject, outcome, left(coalesce(detail, ''), 120) AS detail, minor FROM happened
      ORDER BY at DESC LIMIT ${eventsMax}
    ) newest ORDER BY at, kind`
}

type PaymentEventKind =
  | 'checkout'
  | 'step'
  | 'call'
  | 'message'
  | 'transfer'
  | 'delivery'
  | 'refund'
  | 'action'
