import { createHash } from 'node:crypto'
import { majorText, type Minor } from '@malipo/kernel/money'
import { pick } from '../../sessions/rules/draw'
import { twoDecimals } from './callback-body'
import { isTill } from './receiving-number'
import type { Mpesa, RegisteredUrls } from './state'
import { compactTime } from './times'

export interface PayBillPayment {
  readonly receipt: string
  readonly msisdn: string
  readonly business: string
  readonly account: string
  readonly amountMinor: Minor
  readonly atMs: number
  readonly thirdPartyId: string
}

/** The body of validation and confirmation (providers.md 2.3): the same fields, and all of them text. */
export function payBillBody(
  mpesa: Mpesa,
  urls: RegisteredUrls,
  payment: PayBillPayment,
  when: 'before' | 'after',
): string {
  const { seed, book, phones } = mpesa.world
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
    OrgAccountBalance: when === 'before' ? '' : twoDecimals(book.totalMinor()),
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
