import type { Rail } from '@malipo/kernel/countries'
import type { Minor } from '@malipo/kernel/money'
import type { IntentStatus } from '../../intents/rules/intent'
import type { Database } from '../../database/database'
import { Prisma } from '../../database/generated/client'
import type { PaymentSearch } from '../rules/payment-search'

export interface FoundPayment {
  readonly checkoutId: string | null
  readonly intentId: string | null
  readonly accountId: string
  readonly minor: Minor
  readonly reference: string | null
  readonly status: IntentStatus | null
  readonly rail: Rail | null
  readonly phoneTail: string | null
  readonly receipt: string | null
  readonly at: Date
}

/** The end of a phone is in no index, so only this many days are looked through, or an operator would wait too long. */
const phoneWithinDays = 7

/** Finds payments, the newest first: each attempt that fits, and each checkout that fits, with its newest attempt. */
export async function findPayments(
  db: Database,
  search: PaymentSearch,
  limit: number,
): Promise<FoundPayment[]> {
  return db.$queryRaw<FoundPayment[]>`
    WITH found (checkout_id, intent_id) AS (${foundBy(search, limit)})
    SELECT DISTINCT ON (at, "checkoutId", "intentId") * FROM (
      SELECT c.id AS "checkoutId", i.id AS "intentId", coalesce(c.account_id, i.account_id) AS "accountId",
        coalesce(c.amount_minor, i.amount_minor) AS minor, c.reference, i.status, i.rail, right(i.phone, 3) AS "phoneTail",
        i.receipt, coalesce(i.created_at, c.created_at) AS at
      FROM found f
      LEFT JOIN checkouts c ON c.id = f.checkout_id
      LEFT JOIN LATERAL (
        SELECT one.* FROM intents one WHERE one.id = f.intent_id OR f.intent_id IS NULL AND one.checkout_id = f.checkout_id
        ORDER BY one.created_at DESC LIMIT 1
      ) i ON true
    ) payments ORDER BY at DESC, "checkoutId", "intentId" LIMIT ${limit}::int`
}

function foundBy(search: PaymentSearch, limit: number): Prisma.Sql {
  if (search.by === 'checkout') {
    return Prisma.sql`SELECT id, NULL::text FROM checkouts WHERE id = ${search.text}`
  }
  if (search.by === 'intent') {
    return Prisma.sql`SELECT checkout_id, id FROM intents WHERE id = ${search.text}`
  }
  const since = Prisma.sql`clock_timestamp() - make_interval(days => ${phoneWithinDays}::int)`
  if (search.by === 'phone') {
    return Prisma.sql`SELECT * FROM (
      SELECT checkout_id, id FROM intents WHERE created_at > ${since} AND phone LIKE ${`%${search.tail}`}
      ORDER BY created_at DESC LIMIT ${limit}::int) by_phone`
  }
  return Prisma.sql`SELECT checkout_id, id FROM intents WHERE receipt = ${search.text.toUpperCase()}
      UNION ALL
      SELECT i.checkout_id, s.intent_id FROM suspense_items s LEFT JOIN intents i ON i.id = s.intent_id
      WHERE s.event_key IN (SELECT 'receipt:' || provider || ':' || ${search.text.toUpperCase()}
        FROM unnest(ARRAY['mpesa', 'mtn_momo', 'airtel_money', 'card']) provider) AND s.intent_id IS NOT NULL
      UNION ALL
      SELECT * FROM (SELECT id, NULL::text FROM checkouts
        WHERE account_id IN (SELECT account_id FROM wallets) AND reference = ${search.text}
        ORDER BY created_at DESC LIMIT ${limit}::int) by_reference`
}
