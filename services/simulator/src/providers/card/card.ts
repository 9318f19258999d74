import type { Deliver, Rail } from '../../domain/rail'
import type { World } from '../../domain/world'
import { errorAnswer, errorNames } from './errors'
import { giveBackOperation } from './give-back'
import { hostedCheckout } from './hosted-checkout'
import { openSessionOperation } from './open-session'
import { readOrderOperation } from './read-order'
import type { CardSettings } from './settings'
import { openGateway } from './state'

/** The Mastercard Gateway's Hosted Checkout as we understand it: its calls, and the pages that its payers see. */
export function cardRail(settings: CardSettings, world: World, deliver: Deliver): Rail {
  const gateway = openGateway(settings, world, deliver)
  return {
    name: 'card',
    businesses: [{ shortCode: settings.merchantId, name: 'Card payments' }],
    operations: [
      openSessionOperation(gateway),
      readOrderOperation(gateway),
      giveBackOperation(gateway),
    ],
    errorNames,
    errorAnswer: (name) => errorAnswer(name),
    stray: (path) => (path.startsWith('/api/rest/') ? errorAnswer('invalid_request') : undefined),
    hosted: hostedCheckout(gateway),
  }
}
