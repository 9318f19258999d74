import type { Rail } from '@malipo/kernel/countries'
import type { Reason } from '@malipo/kernel/errors'
import { type Checkout, checkoutStatus, type Order } from '../domain/checkout'
import type { Database } from './database'
import type { CheckoutView } from './generated/client'
import { attemptOf, paymentOf } from './checkout-attempts'
import { retryLostRaces } from './retry-lost-races'

export interface NewCheckout extends Omit<Order, 'createdAt' | 'expiresAt'> {
  readonly key: string | undefined
  /** SHA-256 of the input, present with a key. */
  readonly fingerprint: Buffer
  /** By which the service's own rules refuse it, unless it is a replay. */
  readonly refusal: Reason | undefined
  readonly lifeSeconds: number
  /** For the payer's Pay Bill menu. Not given when another checkout has had it for less than a year. */
  readonly payBillNumber: string | undefined
}

interface Created {
  readonly checkoutId: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

export type CreateOutcome =
  | (Created & { readonly outcome: 'created' })
  | { readonly outcome: 'replayed'; readonly checkoutId: string }
  | { readonly outcome: CreateRefusal }

export type CreateRefusal = 'idempotency_mismatch' | 'amount_outside_limits' | 'checkout_not_found'

export async function createCheckout(db: Database, made: NewCheckout): Promise<CreateOutcome> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<[CreateOutcome]>`
      WITH made AS (
        SELECT outcome, checkout_id, created_at, expires_at
        FROM create_checkout(
          p_checkout_id => ${made.checkoutId}, p_account_id => ${made.accountId},
          p_key => ${made.key}, p_fingerprint => ${made.fingerprint}, p_refusal => ${made.refusal},
          p_amount_minor => ${made.amountMinor}, p_reference => ${made.reference},
          p_description => ${made.description}, p_return_url => ${made.returnUrl}, p_phone => ${made.phone},
          p_life_seconds => ${made.lifeSeconds}
        )
      ), numbered AS (
        INSERT INTO pay_bill_numbers AS held (number, checkout_id, given_at)
        SELECT number, checkout_id, created_at FROM made, (VALUES (${made.payBillNumber}::text)) given (number)
        WHERE outcome = 'created' AND number IS NOT NULL
        ON CONFLICT (number) DO UPDATE SET checkout_id = excluded.checkout_id, given_at = excluded.given_at
        WHERE held.given_at < excluded.given_at - interval '1 year'
      )
      SELECT outcome, checkout_id AS "checkoutId", created_at AS "createdAt", expires_at AS "expiresAt"
      FROM made`,
  )
  return rows[0]
}

/**
 * Makes what is ordinary of many checkouts by one statement: of a new key, for an open wallet. Answers each in its place,
 * and nothing for those that have to be asked for alone.
 */
export async function createTogether(
  db: Database,
  many: readonly NewCheckout[],
): Promise<(CreateOutcome | undefined)[]> {
  const items = many.map((made, place) => ({
    place,
    checkout_id: made.checkoutId,
    account_id: made.accountId,
    key: made.key,
    fingerprint: made.fingerprint.toString('hex'),
    amount_minor: made.amountMinor.toString(),
    reference: made.reference,
    description: made.description,
    return_url: made.returnUrl,
    phone: made.phone,
    life_seconds: made.lifeSeconds,
    pay_bill_number: made.payBillNumber,
  }))
  const rows = await db.$queryRaw<(Created & { readonly place: number })[]>`
    SELECT place, checkout_id AS "checkoutId", created_at AS "createdAt", expires_at AS "expiresAt"
    FROM create_together(p_items => ${JSON.stringify(items)}::jsonb)`
  const answers = new Map(
    rows.map(({ place, ...created }) => [place, { ...created, outcome: 'created' } as const]),
  )
  return many.map((_, place) => answers.get(place))
}

export async function findCheckout(
  db: Database,
  checkoutId: string,
): Promise<Checkout | undefined> {
  const row = await db.checkoutView.findUnique({ where: { checkoutId } })
  return row === null ? undefined : checkoutOf(row)
}

function statusOf(row: CheckoutView): Checkout['status'] {
  return checkoutStatus({
    isCompleted: row.completedAt !== null,
    isInFlight: row.flightIntentId !== null || row.isReportHeld,
    isTimeUp: row.isTimeUp,
  })
}

function heldReportOf({ isReportHeld, payBillReportedAt }: CheckoutView): Date | undefined {
  return isReportHeld ? (payBillReportedAt ?? undefined) : undefined
}

export function checkoutOf(row: CheckoutView): Checkout {
  const { checkoutId, accountId, amountMinor, createdAt, expiresAt } = row
  return {
    checkoutId,
    accountId,
    amountMinor,
    createdAt,
    expiresAt,
    reference: row.reference ?? undefined,
    description: row.description ?? undefined,
    returnUrl: row.returnUrl ?? undefined,
    phone: row.phone ?? undefined,
    completedAt: row.completedAt ?? undefined,
    status: statusOf(row),
    payment: paymentOf(row),
    watchedIntentId: row.settledIntentId ?? row.flightIntentId ?? undefined,
    attempt: attemptOf(row),
    failedAttempts: row.failedAttempts,
    mayHavePaid: row.mayHavePaid,
    isFoundUnpaid: row.isFoundUnpaid,
    deniedRail: (row.deniedRail as Rail | null) ?? undefined,
    payBillReportedAt: heldReportOf(row),
    isWalletOpen: row.isWalletOpen,
    cardEnabled: row.cardEnabled,
    payBillNumber: row.payBillNumber ?? undefined,
  }
}
