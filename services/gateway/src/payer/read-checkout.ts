import { readCheckoutId } from '@malipo/interface/fields'
import type { ReadCheckoutView } from '@malipo/interface/payer-checkout'
import { redirectUrl } from '@malipo/interface/return-url'
import type { PayerCheckout } from '@malipo/ledger-client/checkouts'
import { succeed } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { CountryLedger } from '../cells/country-ledger'
import type { Cells } from '../cells/open-cells'
import type { LimitAddress } from '../limits/limit-rate'
import { ratePolicies } from '../limits/rate-policies'

export interface ReadCheckoutOptions {
  readonly limitAddress: LimitAddress
  readonly ledger: CountryLedger
  readonly businessNumberOf: Cells['businessNumberOf']
}

/** `GET /v1/payments/public/checkouts/{id}`: the data of a payer page. */
export function readCheckout(options: ReadCheckoutOptions): Operation {
  const { limitAddress, ledger, businessNumberOf } = options
  return async (request, response) => {
    const checkoutId = readCheckoutId(request.params['id'])
    await limitAddress(request, response, ratePolicies.read)
    const checkout = await ledger.readCheckout(checkoutId)
    return succeed(200, 'Checkout', show(checkout, businessNumberOf(checkout.cell)))
  }
}

function show(checkout: PayerCheckout, businessNumber: string | undefined): ReadCheckoutView {
  const amount = String(checkout.amountMinor)
  return {
    checkout: {
      id: checkout.checkoutId,
      status: checkout.status,
      amount,
      currency: checkout.currency,
      description: checkout.description ?? null,
      phone: checkout.phone ?? null,
      intent_id: checkout.intentId ?? null,
      return_url: checkout.returnUrl ?? null,
      redirect_url: redirectOf(checkout) ?? null,
      paybill: payBillOf(checkout, businessNumber) ?? null,
      card: cardOf(checkout),
      expires_at: checkout.expiresAt.toISOString(),
    },
    payee: { paybill: null, amount },
  }
}

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

function cardOf({ card }: PayerCheckout): ReadCheckoutView['checkout']['card'] {
  if (card === undefined) return null
  return { fee: String(card.feeMinor), total: String(card.totalMinor) }
}
