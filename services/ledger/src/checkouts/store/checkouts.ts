import type { Pool } from 'pg'
import type { AttemptFacts } from '../../intents/rules/attempt'
import type { Instant } from '../../evidence/rules/state'
import { watchedSeconds } from '../../intents/rules/decide-begin-query'
import { micros, type Statement, type Transaction } from '../../database/transaction'
import {
  type Checkout,
  type CheckoutFacts,
  type Order,
  type OrderTexts,
  orderTexts,
  presentCheckout,
} from '../rules/checkout'
import { openBatcher } from '../../database/batched'

/** SQL of whether two operators closed the report of a subject. */
function closed(subject: string): string {
  return `EXISTS (SELECT FROM report_closings k WHERE k.subject = ${subject} AND k.status = 'closed')`
}

/** SQL of `isDeclinedByCallback`, for an intent `i` that has failed. */
const declinedByCallback = `(
          -- LIMIT makes the plan use the index of the intent, also when it was made while the inbox was small.
          SELECT true FROM provider_messages m
          WHERE m.intent_id = i.id AND m.digest IS NOT NULL AND m.fact = 'declined'
            AND (m.strength = 'E3' OR m.kind = 'hint' AND m.strength = 'E2') LIMIT 1
        ) IS TRUE`

/** SQL of the facts of the intent `i`, as a JSON object that `readAttempt` reads. */
export const attemptJson = `json_build_object(
        'intentId', i.id, 'status', i.status, 'event', i.event, 'rail', i.rail, 'phone', i.phone, 'cause', i.cause,
        'startedAt', ${micros('i.created_at')}, 'isEnded', i.ended_at IS NOT NULL,
        'settledAt', ${micros('i.settled_at')}, 'settledMinor', i.settled_minor::text, 'receipt', i.receipt,
        'disposition', i.disposition, 'isReceiptWanted', i.receipt_wanted, 'reportedAt', ${micros('i.reported_at')},
        'reports', CASE WHEN i.reported_at IS NOT NULL AND i.settled_at IS NULL THEN (
          SELECT json_agg(json_build_object(
            'hasReceipt', r.receipt <> '' AND NOT r.is_elsewhere, 'isReceiptClosed', ${closed(`r.provider || ':' || r.receipt`)},
            'isIntentClosed', ${closed('r.intent_id')}
          )) FROM payment_reports r WHERE r.intent_id = i.id
        ) END,
        'isDeclinedByCallback', i.status = 'failed' AND ${declinedByCallback},
        'attemptReference', i.attempt_reference, 'queuedAt', ${micros('i.queued_at')},
        'submittedAt', ${micros('i.submitted_at')}, 'deadlineAt', ${micros('i.deadline_at')},
        'isPushUnanswered', i.status = 'submitted' AND (
          SELECT w.outcome FROM wire_attempts w WHERE w.intent_id = i.id LIMIT 1
        ) IS NOT DISTINCT FROM 'unknown'
      )`

/** SQL of `mayHavePaid`, for an intent `i` that ended and is not settled. */
export const mayHavePaid = `(
        (i.cause IS NOT DISTINCT FROM 'unconfirmed' OR i.reported_at IS NOT NULL) AND NOT (
          i.reported_at IS NOT NULL AND NOT i.receipt_wanted AND (
            SELECT bool_and(CASE WHEN r.receipt <> '' AND NOT r.is_elsewhere THEN ${closed(`r.provider || ':' || r.receipt`)} ELSE ${closed('r.intent_id')} END)
            FROM payment_reports r WHERE r.intent_id = i.id
          ) IS TRUE
        )
      )`

/** SQL of `isDenialRecent`, for one intent `i`. */
export const isDenialRecent = `(
        i.status = 'failed' AND i.event = 'declined' AND i.rail <> 'card'
        AND i.submitted_at > now() - interval '${String(watchedSeconds)} seconds' AND NOT ${declinedByCallback}
      )`

type Absent = 'phone' | 'cause' | 'receipt' | 'disposition' | 'attemptReference' | 'reports'
type Time = 'settledAt' | 'reportedAt' | 'queuedAt' | 'submittedAt' | 'deadlineAt'

/** An object of `attemptJson`. No CHECK limits its words to these types, but only code of the ledger writes them. */
export type AttemptJson = Omit<AttemptFacts, Absent | Time | 'startedAt' | 'settledMinor'> & {
  readonly [Name in Absent]: NonNullable<AttemptFacts[Name]> | null
} & Readonly<Record<Time, Instant | null>> & {
    readonly startedAt: Instant
    readonly settledMinor: string | null
  }

export function readAttempt(json: AttemptJson): AttemptFacts {
  return {
    ...json,
    phone: json.phone ?? undefined,
    cause: json.cause ?? undefined,
    receipt: json.receipt ?? undefined,
    disposition: json.disposition ?? undefined,
    attemptReference: json.attemptReference ?? undefined,
    reports: json.reports ?? [],
    settledMinor: json.settledMinor === null ? undefined : BigInt(json.settledMinor),
    startedAt: dateOf(json.startedAt),
    settledAt: dateIn(json.settledAt),
    reportedAt: dateIn(json.reportedAt),
    queuedAt: dateIn(json.queuedAt),
    submittedAt: dateIn(json.submittedAt),
    deadlineAt: dateIn(json.deadlineAt),
  }
}

/** An instant as a `Date`, which has no microseconds. */
export function dateOf(at: Instant): Date {
  return new Date(Math.floor(at / 1_000))
}

function dateIn(at: Instant | null): Date | undefined {
  return at === null ? undefined : dateOf(at)
}

/** SQL of whether the money of the Pay Bill report `r` is in the journal. */
export const isReportPosted = `EXISTS (SELECT FROM transfers t WHERE t.event_key = 'receipt:mpesa:' || r.receipt)`
/** SQL of whether two operators closed the Pay Bill report `r`. */
export const isReportClosed = closed(`'mpesa:' || r.receipt`)

/** Each text of an order with its column: `returnUrl` is in `return_url`. */
export const textColumns = orderTexts.map((text) => {
  const column = text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return { text, column }
})

/** Reads checkouts whole: the attempts of each in one scan of an index. */
const load: Statement = {
  name: 'load_checkouts',
  text: `
    SELECT ${micros('clock_timestamp()')} AS now, c.id AS "checkoutId", c.account_id AS "accountId",
      c.amount_minor AS "amountMinor", ${textColumns.map(({ text, column }) => `c.${column} AS "${text}"`).join(', ')},
      ${micros('c.created_at')} AS "createdAt", ${micros('c.expires_at')} AS "expiresAt",
      w.frozen_at IS NULL AS "isWalletOpen", w.card_enabled AS "cardEnabled",
      (SELECT n.number FROM pay_bill_numbers n WHERE n.checkout_id = c.id LIMIT 1) AS "payBillNumber",
      (SELECT json_agg(${attemptJson} ORDER BY i.created_at) FROM intents i WHERE i.checkout_id = c.id) AS attempts,
      (SELECT json_agg(json_build_object(
        'isPosted', g.is_posted, 'isClosed', g.is_closed, 'reportedAt', ${micros('g.reported_at')},
        'heldUntil', ${micros('g.held_until')}
      )) FROM (
        SELECT is_posted, is_closed, min(reported_at) AS reported_at, min(held_until) AS held_until FROM (
          SELECT ${isReportPosted} AS is_posted, ${isReportClosed} AS is_closed, r.reported_at, r.held_until
          FROM pay_bill_reports r WHERE r.checkout_id = c.id
        ) r GROUP BY is_posted, is_closed
      ) g) AS "payBillReports"
    FROM unnest($1::text[]) WITH ORDINALITY wanted (id, place)
    JOIN checkouts c ON c.id = wanted.id
    JOIN wallets w ON w.account_id = c.account_id
    ORDER BY wanted.place`,
}

export const checkoutStatements = { load } as const

interface Row
  extends
    Pick<Order, 'checkoutId' | 'accountId'>,
    Readonly<Record<keyof OrderTexts, string | null>> {
  readonly amountMinor: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly now: Instant
  readonly isWalletOpen: boolean
  readonly cardEnabled: boolean
  readonly payBillNumber: string | null
  readonly attempts: readonly AttemptJson[] | null
  readonly payBillReports: readonly ReportsJson[] | null
}

type ReportsJson = Omit<CheckoutFacts['payBillReports'][number], 'reportedAt'> & {
  readonly reportedAt: Instant
}

/** The checkouts of these ids, in their order; those that are unknown are left out. */
export async function findCheckouts(pool: Pool, ids: readonly string[]): Promise<Checkout[]> {
  const { rows } = await pool.query<Row>({ ...load, values: [ids] })
  return rows.map((row) => presentCheckout(read(row)))
}

/** Reads as `findCheckouts` does, within a transaction. */
export async function loadCheckouts(
  transaction: Transaction,
  ids: readonly string[],
): Promise<Checkout[]> {
  const rows = await transaction.query<Row>(load, [ids])
  return rows.map((row) => presentCheckout(read(row)))
}

export type FindCheckout = (checkoutId: string) => Promise<Checkout | undefined>

/** Reads a checkout. Checkouts that are asked for at the same moment are read in one statement. */
export function openFindCheckout(pool: Pool): FindCheckout {
  const batch = async (ids: readonly string[]) => {
    const found = new Map((await findCheckouts(pool, ids)).map((one) => [one.checkoutId, one]))
    return ids.map((id) => ({ checkout: found.get(id) }))
  }
  const ask = openBatcher<string, { readonly checkout: Checkout | undefined }>({
    batch,
    single: async (id) => ({ checkout: (await findCheckouts(pool, [id]))[0] }),
  })
  return async (checkoutId) => (await ask(checkoutId)).checkout
}

function read(row: Row): CheckoutFacts {
  const { checkoutId, accountId, now, createdAt, expiresAt, isWalletOpen, cardEnabled } = row
  return {
    order: {
      ...{ checkoutId, accountId, amountMinor: BigInt(row.amountMinor) },
      ...Object.fromEntries(orderTexts.map((text) => [text, row[text] ?? undefined])),
      createdAt: dateOf(createdAt),
      expiresAt: dateOf(expiresAt),
    },
    ...{ now, expiresAt, isWalletOpen, cardEnabled },
    payBillNumber: row.payBillNumber ?? undefined,
    attempts: (row.attempts ?? []).map(readAttempt),
    payBillReports: (row.payBillReports ?? []).map((one) => ({
      ...one,
      reportedAt: dateOf(one.reportedAt),
    })),
  }
}
