import type { BookRow, NewBookRow } from '../../book/rules/book'
import { receiveSms, type Phone } from '../../phones/rules/phone'
import { shownFacets } from '../../sessions/rules/world'
import { paidSms } from './sms'
import type { Mpesa } from './state'

/** Moves the money: phone, book, and the message that the payer keeps. */
export function movePayment(
  mpesa: Mpesa,
  phone: Phone,
  payment: Omit<NewBookRow, 'provider'>,
): BookRow {
  const { world } = mpesa
  phone.balanceMinor -= payment.amountMinor
  mpesa.balance.minor += payment.amountMinor
  const row = world.book.write({ ...payment, provider: 'mpesa' })
  world.events.append('money_moved', {
    ...shownFacets(payment),
    receipt: row.receipt,
    reference: row.reference,
  })
  receiveSms(phone, paidSms(row, mpesa.settings.businessName, phone.balanceMinor))
  return row
}
