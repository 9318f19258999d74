import type { ReadCheckoutView } from '@malipo/interface/payer-checkout'
import { redirectUrl } from '@malipo/interface/return-url'
import type { PayerCheckout } from '@malipo/ledger-client/checkouts'

export type PayBillNumbers = NonNullable<ReadCheckoutView['checkout']['paybill']>

/** The Pay Bill number and account to type; undefined without a menu, or when nothing is left to pay. */
export function payBillOf(
  { payBillAccountNumber }: PayerCheckout,
  businessNumber: string | undefined,
): PayBillNumbers | undefined {
  if (payBillAccountNumber === undefined || businessNumber === undefined) return undefined
  return { business_number: businessNumber, account_number: payBillAccountNumber }
}

/** The redirect address after payment; undefined until then, and when the merchant set none. */
export function redirectOf(checkout: PayerCheckout): string | undefined {
  const { status, returnUrl, checkoutId, reference } = checkout
  if (status !== 'completed' || returnUrl === undefined) return undefined
  return redirectUrl(returnUrl, checkoutId, reference)
}

/** The longest account number that M-Pesa's menu accepts (Daraja, BillRefNumber). */
const accountNumberLengthMax = 20

/** The Pay Bill number to type for this handle; undefined without a menu, or when the handle is too long for it. */
export function payBillOfHandle(
  handle: string,
  businessNumber: string | undefined,
): string | undefined {
  return handle.length <= accountNumberLengthMax ? businessNumber : undefined
}
