import { createHash } from 'node:crypto'
import { majorText } from '@malipo/kernel/money'
import type { BookRow, NewBookRow } from '../../book/rules/book'
import { receiveSms, type Phone } from '../../phones/rules/phone'
import { moveMoney } from '../../sessions/rules/world'
import { paidSms, twoDecimals } from './callback-body'
import type { Mpesa, RegisteredUrls } from './state'
import { callBack } from '../call-back'
import { pick } from '../../sessions/rules/draw'
import { isTill } from './settings'
import { compactTime } from './times'

/** Moves the money from phone to merchant, writes the row of the book, and sends the SMS to the payer. */
export function movePayment(
  mpesa: Mpesa,
  phone: Phone,
  payment: Omit<NewBookRow, 'provider'>,
): BookRow {
  const { world } = mpesa
  phone.balanceMinor -= payment.amountMinor
  mpesa.balance.minor += payment.amountMinor
  const row = moveMoney(world, { ...payment, provider: 'mpesa' })
  receiveSms(phone, paidSms(row, mpesa.settings.businessName, phone.balanceMinor))
  return row
}

/** Tells the merchant of a payment to the short code, once, if an address is registered. */
export function confirm(mpesa: Mpesa, paid: BookRow, thirdPartyId: string): void {
  const urls = mpesa.registration.get(paid.business)
  if (urls === undefined) return
  callBack(mpesa.world, mpesa.deliver, {
    url: urls.confirmationUrl,
    facets: paid,
    reference: paid.receipt,
    result: '0',
    body: (amountMinor) =>
      payBillBody(mpesa, urls, { ...paid, amountMinor, thirdPartyId }, 'after'),
    settled: () => undefined,
  })
}

export interface PayBillPayment extends Omit<BookRow, 'id' | 'provider' | 'kind' | 'reference'> {
  readonly thirdPartyId: string
}

/** The body of validation and confirmation (providers.md 2.3): the same fields, and all of them text. */
export function payBillBody(
  mpesa: Mpesa,
  urls: RegisteredUrls,
  payment: PayBillPayment,
  when: 'before' | 'after',
): string {
  const { seed, phones } = mpesa.world
  const { receipt, msisdn, amountMinor } = payment
  const toTill = isTill(mpesa.settings, payment.business)
  const [firstName = ''] = (phones.find(msisdn)?.name ?? '').toUpperCase().split(' ')
  return JSON.stringify({
    TransactionType: toTill ? 'Buy Goods' : 'Pay Bill',
    TransID: receipt,
    TransTime: compactTime(payment.atMs),
    TransAmount: pick(seed, `amount ${receipt}`, [
      majorText(amountMinor),
      twoDecimals(amountMinor),
    ]),
    BusinessShortCode: payment.business,
    BillRefNumber: toTill ? '' : payment.account,
    InvoiceNumber: '',
    OrgAccountBalance: when === 'before' ? '' : twoDecimals(mpesa.balance.minor),
    ThirdPartyTransID: payment.thirdPartyId,
    MSISDN: payerNumber(mpesa, urls, msisdn),
    FirstName: firstName,
    MiddleName: '',
    LastName: '',
  })
}

function payerNumber({ settings }: Mpesa, { version }: RegisteredUrls, msisdn: string): string {
  const byVersion = version === 'v1' ? 'hashed' : 'masked'
  switch (settings.payerNumbers === 'by_version' ? byVersion : settings.payerNumbers) {
    case 'hashed':
      return createHash('sha256').update(msisdn).digest('hex')
    case 'masked':
      return `${msisdn.slice(0, 4)} ***** ${msisdn.slice(-3)}`
    case 'plain':
      return msisdn
  }
}
