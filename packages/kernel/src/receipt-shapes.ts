import type { Rail } from './countries'

const ofMpesa = /^[A-Z0-9]{8,20}$/

/** How the receipts of each rail look. None has a colon, which separates provider and receipt: `mpesa:QK…`. */
export const receiptShapes = {
  mpesa: ofMpesa,
  mtn_momo: /^[A-Za-z0-9.-]{1,64}$/,
  airtel_money: /^[A-Za-z0-9.-]{6,64}$/,
  // The id of the order, which is that of the intent, and the id of the payment within the order.
  card: /^pi_[0-9a-f]{24}-[A-Za-z0-9._-]{1,36}$/,
  // Money from the Pay Bill menu comes with receipts of M-PESA.
  paybill: ofMpesa,
} as const satisfies Record<Rail, RegExp>
