import { isSameSecret } from '@malipo/contracts/same-secret'
import { readCheckoutId, readIntentId } from '@malipo/interface/fields'
import type { CardPayment } from '@malipo/ledger-client/cards'
import { returnBody } from '@malipo/rails/card/inbound'
import { redirectTo } from '@malipo/runtime/answer'
import { addressGroup } from '@malipo/runtime/client-address'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Gateway } from '../operation'
import type { Request } from 'express'
import { ratePolicies } from '../limits/rate-policies'
import { isInFlight, isUnpaid } from './screen'

/**
 * `GET /c/{id}/card/{intent}/return`: the payer's browser returns from the card gateway. Its parameters prove
 * nothing, so the request only triggers a query.
 */
export function returnFromCardPage({
  clientAddress,
  limitRate,
  ledger,
  readJobs,
}: Gateway): Operation {
  return async (request, response) => {
    const checkoutId = readCheckoutId(request.params['id'])
    const intentId = readIntentId(request.params['intent'])
    const sourceAddress = clientAddress(request)
    await limitRate(response, ratePolicies.page, addressGroup(sourceAddress))
    const payment = await ledger.readCardPayment(checkoutId, intentId)
    const { status } = payment.intent
    const what = whatOf(request, payment)
    // A card can be charged after its attempt has ended, and only a payer who was charged knows the indicator.
    if (what === 'paid' ? isUnpaid(status) : isInFlight(status)) {
      const messageId = await ledger.storeCallback({
        subject: { kind: 'intent', intentId, rail: 'card' },
        body: returnBody(what),
        sourceAddress,
        isSourceKnown: false,
      })
      void readJobs.enqueue(messageId)
    }
    return redirectTo(`/c/${checkoutId}`)
  }
}

function whatOf({ url }: Request, { opened }: CardPayment): 'paid' | 'unpaid' | 'cancelled' {
  const { searchParams } = new URL(url, 'http://localhost')
  if (searchParams.get('left') === 'cancelled') return 'cancelled'
  const [indicator = '', another] = searchParams.getAll('resultIndicator')
  const isPaid =
    opened !== undefined &&
    another === undefined &&
    isSameSecret(indicator, opened.successIndicator)
  return isPaid ? 'paid' : 'unpaid'
}
