import type { Rail } from './countries'

const ofMpesa = /^[A-Z0-9]{8,20}$/

/** How the receipts of each rail look. None has a colon, which parts a receipt from its provider. */
export const receiptShapes = {
  mpesa: ofMpesa,
  mtn_momo: /^[A-Za-z0-9.-]{1,64}$/,
  airtel_money: /^[A-Za-z0-9.-]{6,64}$/,
  // The order, which has the id of its intent, and the step of it.
  card: /^pi_[0-9a-f]{24}-[A-Za-z0-9._-]{1,36}$/,
  // Its money comes with the receipts of M-PESA.
  paybill: ofMpesa,
} as const satisfies Record<Rail, RegExp>
