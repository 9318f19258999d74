import type { CreateCheckoutBody, MerchantCheckoutView } from '@malipo/interface/merchant-checkout'
import type { MerchantCheckout, Payment } from '@malipo/ledger-client/checkouts'

/** The merchant's input, except for the phone, whose format depends on the country. */
export function orderOf(body: CreateCheckoutBody) {
  return {
    amountMinor: BigInt(body.amount),
    reference: body.reference,
    description: body.description,
    returnUrl: body.return_url,
  }
}

/** The merchant's view of a checkout, field by field: a field that is not listed here is not exposed. */
export function showMerchantCheckout(
  checkout: MerchantCheckout,
  baseUrl: string,
): MerchantCheckoutView {
  return {
    id: checkout.checkoutId,
    url: `${baseUrl}/c/${checkout.checkoutId}`,
    status: checkout.status,
    amount: String(checkout.amountMinor),
    currency: checkout.currency,
    reference: checkout.reference ?? null,
    description: checkout.description ?? null,
    return_url: checkout.returnUrl ?? null,
    expires_at: checkout.expiresAt.toISOString(),
    created_at: checkout.createdAt.toISOString(),
    payment: checkout.payment === undefined ? null : showPayment(checkout.payment),
  }
}

function showPayment(payment: Payment): NonNullable<MerchantCheckoutView['payment']> {
  const { settledMinor } = payment
  return {
    intent_id: payment.intentId,
    status: payment.status,
    amount_settled: settledMinor === undefined ? null : String(settledMinor),
    provider_receipt: payment.receipt ?? null,
    // The contract requires a string, also when empty.
    phone: payment.phone ?? '',
  }
}
