import { skeletonOf } from './skeleton'

/**
 * The form by which handles are compared: usernames and links are in one case-insensitive namespace. The shape of a
 * handle is checked by `isHandle` of the kernel; this file decides which handles are reserved.
 */
export function foldHandle(handle: string): string {
  return handle.toLowerCase()
}

/**
 * Whether this handle is reserved. Payers type handles as Pay Bill account numbers, and drop or add dots and dashes. A
 * handle that without dots and dashes looks like `CS` and 8 digits, or like the reference of an intent, could catch
 * money meant for a checkout. It is reserved whether or not that number exists.
 */
export function isReservedHandle(handle: string): boolean {
  const bare = foldHandle(handle).replaceAll(/[._-]/g, '')
  return bare === '' || looksLikeAccountNumber(bare) || reserved.has(bare)
}

/** A skeleton has `rn` for each `m`. It is turned back into one letter, because the patterns count characters. */
function looksLikeAccountNumber(bare: string): boolean {
  const seen = skeletonOf(bare).replaceAll('rn', 'm')
  return payBillNumber.test(seen) || (attemptReference.test(seen) && /[0-9]/.test(bare))
}

/**
 * Skeletons turn `0` into `o` and `1` into `l`; a payer in a hurry also confuses `5`, `2`, `8`, `9` with `s`, `z`,
 * `b`, `g`.
 */
const payBillNumber = /^c[s5][2-9olszbg]{8}$/

/**
 * An `M`, then 11 digits and letters without `U`. A handle without a digit is taken for a word, because few references
 * have no digit.
 */
const attemptReference = /^m[0-9a-tv-z]{11}$/

/** Words that look like Malipo or one of its pages; compared without dots and dashes. */
const reserved = new Set(
  `about account accounts admin administrator api app auth billing callback callbacks card cards cashier c checkout
   checkouts contact docs download errors faq favicon finance handle handles health help home hub intent intents key keys
   ledger legal link links livez login logout malipo me merchant merchants metrics news null official ops p pay paybill
   payment payments payout payouts policy pricing privacy profile profiles public readyz receipt receipts refund refunds
   register robots root search secure security session sessions settings setup shop signin signout signup sitemap staff
   state static status store support system team terms test trust undefined user users verify wallet wallets webhook
   webhooks welcome www v1`.split(/\s+/),
)
