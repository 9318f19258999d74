import type { Movement } from './provider.harness'

// The oracle judges by this second copy of the design, and by none of the rules that are under test.

/** The allowed steps of an intent, each as "from event to", written down from the design and not from the code. */
export const allowed = new Set([
  'none accepted created',
  'created reserved reserved',
  'created withheld failed',
  'created lapsed expired',
  'reserved submitted submitted',
  'reserved withheld failed',
  'reserved lapsed expired',
  'submitted acknowledged pending',
  'submitted refused failed',
  'submitted declined failed',
  'submitted confirmed completed',
  'submitted lapsed expired',
  'pending confirmed completed',
  'pending declined failed',
  'pending lapsed expired',
  'failed confirmed completed',
  'expired confirmed completed',
  'none matched completed',
  'completed reversed reversed',
])
export const hour = 3_600
/** Seconds after its sending before which an attempt must not expire, by rail. A card page has its own expiry. */
export const deadlines = {
  mpesa: 150,
  mtn_momo: 390,
  airtel_money: 240,
  card: 0,
  paybill: 0,
} as const
/** How many seconds a report of payment keeps its intent open. */
export const reportHold = 600

/** How many seconds a prompt that may still be paid is asked about, at least once an hour. */
export const watch = 72 * hour
/** How many seconds after its prompt an attempt is asked about a last time, over the rails that have no statement. */
export const lastQuery = 30 * 24 * hour
export const withoutStatement: ReadonlySet<string> = new Set(['mtn_momo', 'airtel_money'])

/** Where M-Pesa takes whole shillings only, an amount with cents is asked for as the next whole shilling. */
export function roundedUp(minor: bigint): bigint {
  const cents = minor % 100n
  return cents === 0n ? minor : minor - cents + 100n
}

export function floatOf({ rail }: Movement): string {
  return `float:${rail === 'paybill' ? 'mpesa' : rail}`
}
