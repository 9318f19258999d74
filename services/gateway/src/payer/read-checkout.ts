import { readCheckoutId } from '@malipo/interface/fields'
import type { ReadCheckoutView } from '@malipo/interface/payer-checkout'
import type { PayerCheckout } from '@malipo/ledger-client/checkouts'
import { succeed } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Gateway } from '../operation'
import { ratePolicies } from '../limits/rate-policies'
import { payBillOf, redirectOf } from './menu-and-return'

/** `GET /v1/payments/public/checkouts/{id}`: the data of a payer page. */
export function readCheckout({ limitAddress, ledger, businessNumberOf }: Gateway): Operation {
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

function cardOf({ card }: PayerCheckout): ReadCheckoutView['checkout']['card'] {
  if (card === undefined) return null
  return { fee: String(card.feeMinor), total: String(card.totalMinor) }
}
