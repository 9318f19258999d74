import type { Rail } from '@malipo/kernel/countries'
import type { Minor } from '@malipo/kernel/money'
import type { IntentStatus } from '../../intents/rules/intent'
import { Prisma } from '../../database/generated/client'
import { providerOf } from '../../journal/rules/postings'
import { providerOfRail } from '../../journal/store/receipts'
import type { PaymentSearch } from '../rules/payment-search'
import { timeBefore } from './time-before'

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

/** No index has the end of a phone, so only payments of this many days are searched by it: more would take too long. */
const phoneWithinDays = 7

/**
 * Finds the attempts and the checkouts that match, each checkout with its newest attempt. The newest come first, and
 * those that match only by phone last: a short end of a phone matches so many that they would hide the one with the
 * receipt or the reference.
 */
export async function findPayments(
  db: Prisma.TransactionClient,
  search: PaymentSearch,
  limit: number,
): Promise<FoundPayment[]> {
  const phonesSince = await timeBefore(db, phoneWithinDays * 86_400)
  return db.$queryRaw<FoundPayment[]>`
    WITH found (checkout_id, intent_id, is_by_phone) AS (${foundBy(search, { limit, phonesSince })})
    SELECT * FROM (
      SELECT DISTINCT ON (c.id, i.id)
        c.id AS "checkoutId", i.id AS "intentId", coalesce(c.account_id, i.account_id) AS "accountId",
        coalesce(c.amount_minor, i.amount_minor) AS minor, c.reference, i.status, i.rail, right(i.phone, 3) AS "phoneTail",
        i.receipt, coalesce(i.created_at, c.created_at) AS at, f.is_by_phone
      FROM found f
      LEFT JOIN checkouts c ON c.id = f.checkout_id
      LEFT JOIN LATERAL (
        SELECT one.* FROM intents one WHERE one.id = f.intent_id OR f.intent_id IS NULL AND one.checkout_id = f.checkout_id
        ORDER BY one.created_at DESC LIMIT 1
      ) i ON true
      ORDER BY c.id, i.id, f.is_by_phone
    ) payments ORDER BY is_by_phone, at DESC, "checkoutId", "intentId" LIMIT ${limit}::int`
}

interface Bounds {
  readonly limit: number
  readonly phonesSince: string
}

function foundBy(search: PaymentSearch, bounds: Bounds): Prisma.Sql {
  const { text } = search
  switch (search.by) {
    case 'checkout':
      return Prisma.sql`SELECT id, NULL::text, false FROM checkouts WHERE id = ${text}`
    case 'intent':
      return Prisma.sql`SELECT checkout_id, id, false FROM intents WHERE id = ${text}`
    case 'receipt':
      return byReceipt(text, [search.provider])
    case 'word':
      return Prisma.join(
        [
          byReceipt(text, Object.values(providerOf)),
          byReference(text, bounds.limit),
          ...(search.phoneTail === undefined ? [] : [byPhone(search.phoneTail, bounds)]),
        ],
        ' UNION ALL ',
      )
  }
}

/** Receipts of M-PESA are in capitals and those of the card gateway are not, so both spellings are searched. */
function byReceipt(text: string, providers: readonly string[]): Prisma.Sql {
  const receipts = [text, text.toUpperCase()]
  const keys = providers.flatMap((provider) =>
    receipts.map((receipt) => `receipt:${provider}:${receipt}`),
  )
  return Prisma.sql`SELECT checkout_id, id, false FROM intents
      WHERE receipt = ANY (${receipts}::text[])
        AND ${Prisma.raw(providerOfRail('rail'))} = ANY (${[...providers]}::text[])
      UNION ALL
      SELECT i.checkout_id, s.intent_id, false FROM suspense_items s JOIN intents i ON i.id = s.intent_id
      WHERE s.event_key = ANY (${keys}::text[])`
}

function byReference(text: string, limit: number): Prisma.Sql {
  return Prisma.sql`SELECT * FROM (SELECT id, NULL::text, false FROM checkouts
        WHERE account_id IN (SELECT account_id FROM wallets) AND reference = ${text}
        ORDER BY created_at DESC LIMIT ${limit}::int) by_reference`
}

function byPhone(tail: string, { limit, phonesSince }: Bounds): Prisma.Sql {
  return Prisma.sql`SELECT * FROM (SELECT checkout_id, id, true FROM intents
        WHERE created_at > ${phonesSince}::text::timestamptz AND phone LIKE ${`%${tail}`}
        ORDER BY created_at DESC LIMIT ${limit}::int) by_phone`
}
