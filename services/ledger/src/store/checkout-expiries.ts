import type { CheckoutStatus } from '../domain/checkout'
import { checkoutOf } from './checkouts'
import type { Database } from './database'
import type { Prisma } from './generated/client'

/** How soon a checkout is looked at again that a payment keeps open after its time. */
const lookAgainSeconds = 5

/**
 * Writes `checkout.expired` for checkouts that have expired, of those whose time is up, at most `limit`; answers how
 * many were looked at.
 */
export async function writeExpiries(db: Database, limit: number): Promise<number> {
  return db.$transaction(async (tx) => {
    const due = await tx.$queryRaw<{ readonly id: string }[]>`
      SELECT checkout_id AS id FROM checkout_expiries WHERE look_at <= clock_timestamp()
      ORDER BY look_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED`
    if (due.length === 0) return 0
    const checkoutId = { in: due.map(({ id }) => id) }
    const rows = await tx.checkoutView.findMany({ where: { checkoutId } })
    const ids: Record<CheckoutStatus, string[]> = { open: [], completed: [], expired: [] }
    for (const checkout of rows.map(checkoutOf)) ids[checkout.status].push(checkout.checkoutId)
    await keepLooking(tx, ids)
    return due.length
  })
}

async function keepLooking(
  tx: Prisma.TransactionClient,
  { open, completed, expired }: Readonly<Record<CheckoutStatus, string[]>>,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE checkout_expiries SET look_at = clock_timestamp() + make_interval(secs => ${lookAgainSeconds})
    WHERE checkout_id = ANY (${open})`
  await tx.$queryRaw`
    SELECT count(write_webhook_event(account_id, 'checkout.expired', id)) FROM checkouts WHERE id = ANY (${expired})`
  await tx.$executeRaw`DELETE FROM checkout_expiries WHERE checkout_id = ANY (${[...completed, ...expired]})`
}

/** How long an event and its deliveries are kept: longer than any delivery is tried. */
const keptDays = 30

/** Removes events that are too old, at most `limit`, with their deliveries; answers how many. */
export async function forgetOldEvents(db: Database, limit: number): Promise<number> {
  return db.$transaction(async (tx) => {
    const old = await tx.$queryRaw<{ readonly id: string }[]>`
      SELECT id FROM webhook_events WHERE created_at < clock_timestamp() - make_interval(days => ${keptDays}::int)
      ORDER BY created_at LIMIT ${limit}`
    if (old.length === 0) return 0
    const ids = old.map(({ id }) => id)
    await tx.$executeRaw`DELETE FROM webhook_deliveries WHERE event_id = ANY (${ids})`
    await tx.$executeRaw`DELETE FROM webhook_events WHERE id = ANY (${ids})`
    return ids.length
  })
}
