import type { Operation, Understood } from '../rules/rail'
import { shownFacets } from '../../sessions/rules/world'
import { orderBody } from './bodies'
import { merchantPath, understandMerchant } from './gate'
import { errorAnswer, refuse } from './errors'
import { facetsOf } from './open-session'
import type { Gateway, Order } from './state'

/** `GET …/order/{order}`: returns the status of an order and all its steps. */
export function readOrderOperation(gateway: Gateway): Operation {
  return {
    moment: 'query',
    method: 'GET',
    path: `${merchantPath}/order/{order}`,
    takesLies: true,
    understand: (call) =>
      understandMerchant(gateway, call, () => understandOrder(gateway, call.params['order'] ?? '')),
  }
}

function understandOrder(gateway: Gateway, id: string): Understood {
  const order = gateway.orders.get(id)
  if (order === undefined) return refuse('not_found', notFound(gateway, id))
  return {
    kind: 'understood',
    facets: facetsOf(gateway, order.request),
    perform: (lie) => ({ answer: answerOf(gateway, order, lie) }),
  }
}

export function notFound({ settings }: Gateway, id: string): string {
  return `Unable to find order '${id}' for merchant '${settings.merchantId}'`
}

/** A rule of kind `lie` gives the order another status; with `NOT_FOUND` the answer is that the order is unknown. */
function answerOf(gateway: Gateway, order: Order, lie: string | undefined) {
  const shown = lie === undefined ? order : { ...order, status: lie }
  gateway.world.events.append('query_answered', {
    ...shownFacets(facetsOf(gateway, order.request)),
    result: shown.status,
  })
  if (lie === 'NOT_FOUND') return errorAnswer('not_found', notFound(gateway, order.request.id))
  return { status: 200, contentType: 'application/json', body: orderBody(gateway, shown) }
}
