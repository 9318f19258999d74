import { readCheckoutId } from '@malipo/interface/fields'
import type { ReadCheckoutView } from '@malipo/interface/payer-checkout'
import { redirectUrl } from '@malipo/interface/return-url'
import { succeed } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/door'
import type { PayerCheckout } from '../clients/checkout'
import type { Ledger } from '../clients/ledger'
import { addressGroup, type ClientAddress } from './client-address'
import type { LimitRate } from './limit-rate'
import { ratePolicies } from './rate-window'

export interface ReadCheckoutOptions {
  readonly clientAddress: ClientAddress
  readonly limitRate: LimitRate
  readonly ledger: Ledger
}

/** `GET /v1/payments/public/checkouts/{id}`: what a payer page shows. */
export function readCheckout({ clientAddress, limitRate, ledger }: ReadCheckoutOptions): Operation {
  return async (request, response) => {
    const checkoutId = readCheckoutId(request.params['id'])
    await limitRate(response, ratePolicies.read, addressGroup(clientAddress(request)))
    return succeed(200, 'Checkout', show(await ledger.readCheckout(checkoutId)))
  }
}

function show(checkout: PayerCheckout): ReadCheckoutView {
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
      // No Pay Bill numbers are given to checkouts yet, and then it is not applicable.
      paybill: null,
      card: cardOf(checkout),
      expires_at: checkout.expiresAt.toISOString(),
    },
    payee: { paybill: null, amount },
  }
}

/** Where a payer who has paid goes; undefined until then, and where the merchant named no place. */
export function redirectOf(checkout: PayerCheckout): string | undefined {
  const { status, returnUrl, checkoutId, reference } = checkout
  if (status !== 'completed' || returnUrl === undefined) return undefined
  return redirectUrl(returnUrl, checkoutId, reference)
}

function cardOf({ card }: PayerCheckout): ReadCheckoutView['checkout']['card'] {
  if (card === undefined) return null
  return { fee: String(card.feeMinor), total: String(card.totalMinor) }
}
