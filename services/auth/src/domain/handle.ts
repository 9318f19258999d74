import { skeletonOf } from './skeleton'

/**
 * A handle names an account that can be paid: a username or the address of a link, in one namespace, compared without
 * case. Its shape is `isHandle` of the kernel; this file decides which handles are reserved.
 */
export function foldHandle(handle: string): string {
  return handle.toLowerCase()
}

/**
 * Whether this handle is reserved. Payers type a handle as a Pay Bill account number, with dots and dashes of their
 * own making, so what looks like `CS` and 8 digits, or like the reference of an attempt, without them would catch money
 * meant for a checkout. Whether that number exists does not count.
 */
export function isReservedHandle(handle: string): boolean {
  const bare = foldHandle(handle).replaceAll(/[._-]/g, '')
  return bare === '' || looksLikeAccountNumber(bare) || reserved.has(bare)
}

/** `rn` of a skeleton is one letter here, as in the numbers that it is compared with. */
function looksLikeAccountNumber(bare: string): boolean {
  const seen = skeletonOf(bare).replaceAll('rn', 'm')
  return payBillNumber.test(seen) || (attemptReference.test(seen) && /[0-9]/.test(bare))
}

/** In skeletons `0` is `o` and `1` is `l`; a payer in a hurry also takes `5`, `2`, `8` and `9` for `s`, `z`, `b` and `g`. */
const payBillNumber = /^c[s5][2-9olszbg]{8}$/

/** 11 digits and letters, but no `U`, behind an `M`. A handle without a digit is a word, as few references are. */
const attemptReference = /^m[0-9a-tv-z]{11}$/

/** Words that would pass for us or for a page of ours; compared without dots and dashes. */
const reserved = new Set(
  `about account accounts admin administrator api app auth billing callback callbacks card cards cashier c checkout
   checkouts contact docs download errors faq favicon finance handle handles health help home hub intent intents key keys
   ledger legal link links livez login logout malipo me merchant merchants metrics news null official ops p pay paybill
   payment payments payout payouts policy pricing privacy profile profiles public readyz receipt receipts refund refunds
   register robots root search secure security session sessions settings setup shop signin signout signup sitemap staff
   state static status store support system team terms test trust undefined user users verify wallet wallets webhook
   webhooks welcome www v1`.split(/\s+/),
)
