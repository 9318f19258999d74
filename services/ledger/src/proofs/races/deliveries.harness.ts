import { openRandom } from '../simulation/rules.harness'
import type { TestLedger } from '../../ledger.harness'
import { confirmed, insist, type Pending, uniqueReceipt } from '../../payments.harness'
import { inParallel } from './in-parallel.harness'

export interface Deliveries {
  readonly payments: number
  /** How often the provider calls about each payment, all its bodies together. */
  readonly copies: number
  readonly progress?: (what: 'payments begun' | 'deliveries', done: number) => void
}

/** What the database has at the end, counted. */
export interface Posted {
  readonly transfers: number
  readonly receipts: number
  readonly completed: number
  readonly toMerchant: bigint
  readonly deliveries: number
}

interface Paid extends Pending {
  readonly receipt: string
}

const inHand = 64
/** Callbacks about one payment come in this many bodies: an equal body is only counted, another is evaluated anew. */
const bodies = 4
/** The queue runs a message's job once; of the repeated deliveries, one in this many is applied all the same. */
const repeats = 10

/**
 * Plays a provider that calls back about each payment again and again, shuffled over all payments and in parallel. Each
 * callback is stored, and applied when its job runs.
 */
export async function deliver(
  at: Pick<TestLedger, 'pay' | 'ledger'>,
  request: Deliveries,
): Promise<void> {
  const accountId = await at.pay.merchant()
  const paid: Paid[] = []
  await inParallel(request.payments, inHand, async () => {
    const { checkoutId } = await insist(() => at.pay.checkout({ accountId }))
    paid.push({ ...(await insist(() => at.pay.pending(checkoutId))), receipt: uniqueReceipt() })
    request.progress?.('payments begun', paid.length)
  })

  const order = shuffled(request.payments * request.copies)
  const applied = new Set<string>()
  let done = 0
  await inParallel(order.length, inHand, async (turn) => {
    const drawn = order[turn] ?? 0
    const one = paid[drawn % request.payments]
    if (one === undefined) return
    const body = Buffer.from(
      `${one.receipt} ${String(Math.floor(drawn / request.payments) % bodies)}`,
    )
    const messageId = await insist(() => at.pay.callback(one.callbackToken, { body }))
    if (!applied.has(messageId) || drawn % repeats === 0) {
      applied.add(messageId)
      await insist(() => at.ledger.applyEvidence({ messageId, fact: confirmed(one) }))
    }
    done += 1
    request.progress?.('deliveries', done)
  })
}

/** The numbers below `size`, each once, in an order that a seed determines. */
function shuffled(size: number): Int32Array {
  const random = openRandom(size)
  const order = Int32Array.from({ length: size }, (_, place) => place)
  for (let place = size - 1; place > 0; place -= 1) {
    const other = random(place + 1)
    const held = order[place] ?? 0
    order[place] = order[other] ?? 0
    order[other] = held
  }
  return order
}

export async function posted({ database }: Pick<TestLedger, 'database'>): Promise<Posted> {
  const { rows } = await database.pool.query<Posted & { toMerchant: string }>(`
    SELECT count(*)::int AS transfers, count(DISTINCT event_key)::int AS receipts,
      (SELECT count(*)::int FROM intents WHERE status = 'completed' AND disposition = 'merchant') AS completed,
      coalesce(sum(minor) FILTER (WHERE credit LIKE 'wallet:%'), 0)::text AS "toMerchant",
      (SELECT coalesce(sum(deliveries), 0)::int FROM provider_messages) AS deliveries
    FROM transfers`)
  const [row] = rows
  if (row === undefined) throw new Error('a count has a row')
  return { ...row, toMerchant: BigInt(row.toMerchant) }
}
