import type { Deliver, Rail } from '../rules/rail'
import type { World } from '../../sessions/rules/world'
import { errorAnswer, errorNames } from './errors'
import { changeOrderOperation } from './change-order'
import { hostedCheckout } from './hosted-checkout'
import { openSessionOperation } from './open-session'
import { readOrderOperation } from './read-order'
import { readPaymentOptionsOperation } from './read-payment-options'
import { readSessionOperation } from './read-session'
import { readTransactionOperation } from './read-transaction'
import { type CardSettings, openGateway } from './state'

/** The Mastercard Gateway's Hosted Checkout as we understand it: its calls, and the pages that its payers see. */
export function cardRail(settings: CardSettings, world: World, deliver: Deliver): Rail {
  const gateway = openGateway(settings, world, deliver)
  return {
    name: 'card',
    businesses: [{ shortCode: settings.merchantId, name: 'Card payments' }],
    operations: [
      openSessionOperation(gateway),
      readOrderOperation(gateway),
      readTransactionOperation(gateway),
      readSessionOperation(gateway),
      readPaymentOptionsOperation(gateway),
      changeOrderOperation(gateway),
    ],
    errorNames,
    errorAnswer: (name) => errorAnswer(name),
    stray: (path) => (path.startsWith('/api/rest/') ? errorAnswer('invalid_request') : undefined),
    hosted: hostedCheckout(gateway),
  }
}
