import type { BookRow } from '../../book/rules/book'
import { callBack } from '../call-back'
import { payBillBody } from './pay-bill-body'
import type { Mpesa } from './state'

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
