import type { Minor } from '@malipo/kernel/money'
import { paidWithinSeconds } from '@malipo/kernel/prompts'
import type { PaidFact } from '../rules/state'
import {
  isWholePhone,
  type TillCandidate,
  tillAccountOf,
  tillCandidatesMax,
  type TillPayment,
} from '../rules/till-payment'
import { micros, timestamp, type Statement, type Transaction } from '../../database/transaction'

/** Candidates are at most a day old. Money for a checkout that was open for longer is held for an operator. */
const reach = `interval '1 day'`
/** A prompt may be paid for this long. Its checkout may be paid until it expires, as the page shows the till so long. */
const paidWithin = `interval '${String(paidWithinSeconds)} seconds'`
/** An attempt whose prompt was not sent counts as its checkout, because the page shows the till without a prompt too. */
const wasSent = 'i.submitted_at IS NOT NULL'
const since = 'coalesce(i.submitted_at, i.created_at)'

const find: Statement = {
  name: 'find_till_candidates',
  text: `
    SELECT item.place::int - 1 AS place, one.kind, one.id, one.account_id AS "accountId", one.account,
      one.minor AS "amountMinor",
      ${micros('one.since')} AS since, ${micros('one.until')} AS until, ${micros('one.settled_at')} AS "settledAt",
      (SELECT ${micros('paid.settled_at')} FROM intents paid
        WHERE paid.checkout_id = one.checkout_id AND paid.disposition = 'merchant') AS "checkoutPaidAt",
      one.is_declined AS "isDeclined"
    FROM unnest($1::text[], $2::timestamptz[]) WITH ORDINALITY item (phone, paid_at, place)
    CROSS JOIN LATERAL (
      (SELECT 'checkout' AS kind, c.id, c.account_id, c.id AS account, c.amount_minor AS minor, c.created_at AS since,
        c.expires_at AS until, NULL::timestamptz AS settled_at, c.id AS checkout_id, false AS is_declined
      FROM checkouts c
      WHERE c.phone = item.phone AND c.created_at BETWEEN item.paid_at - ${reach} AND item.paid_at + ${paidWithin}
      LIMIT ${String(tillCandidatesMax)})
      UNION ALL
      (SELECT CASE WHEN ${wasSent} THEN 'prompt' ELSE 'checkout' END, coalesce(i.checkout_id, i.id),
        coalesce(i.account_id, asked.account_id), CASE WHEN ${wasSent} THEN i.attempt_reference ELSE i.checkout_id END,
        i.asked_minor, ${since}, greatest(${since} + ${paidWithin}, asked.expires_at), i.settled_at,
        i.checkout_id, i.status = 'failed' AND i.reported_at IS NULL
      FROM intents i LEFT JOIN checkouts asked ON asked.id = i.checkout_id
      WHERE i.phone = item.phone AND i.rail = 'mpesa' AND i.attempt_reference IS NOT NULL
        AND (${wasSent} OR i.checkout_id IS NOT NULL)
        AND i.created_at BETWEEN item.paid_at - ${reach} AND item.paid_at + ${paidWithin}
      LIMIT ${String(tillCandidatesMax)})
    ) one`,
}

interface Row extends Omit<TillCandidate, 'amountMinor'> {
  readonly place: number
  readonly amountMinor: string
}

/**
 * What each payment is for: the account number that its payer typed or, for a payment to a till, the reference of the
 * only prompt or the id of the only checkout that it can be for. No payer can type the id of a checkout, as it is in lower
 * case. Null for an unreadable payment; empty for a payment to a till that fits nothing or more than one candidate.
 */
export async function findAccounts(
  transaction: Transaction,
  facts: readonly (PaidFact | undefined)[],
): Promise<(string | null)[]> {
  const payments = facts.map((fact) => fact && tillPaymentOf(fact))
  const requested = payments.filter((one) => one !== undefined)
  if (requested.length === 0) return facts.map((fact) => fact?.account ?? null)
  const rows = await transaction.query<Row>(find, [
    requested.map(({ phone }) => phone),
    requested.map(({ paidAt }) => timestamp(paidAt)),
  ])
  return facts.map((fact, place) => {
    const payment = payments[place]
    if (fact === undefined || payment === undefined) return fact?.account ?? null
    const candidates = rows.filter((row) => row.place === requested.indexOf(payment)).map(read)
    return tillAccountOf(payment, candidates, fact.wholeMajorsOnly) ?? ''
  })
}

function tillPaymentOf({ account, phone, amountMinor, paidAt }: PaidFact): TillPayment | undefined {
  if (account !== '' || paidAt === undefined || !isWholePhone(phone)) return undefined
  return { phone, amountMinor, paidAt: paidAt.getTime() * 1_000 }
}

function read({ amountMinor, ...candidate }: Row): TillCandidate {
  return { ...candidate, amountMinor: BigInt(amountMinor) satisfies Minor }
}
