import { shownFacets } from '../../sessions/rules/world'
import type { Operation, Understood, WireCall } from '../rules/rail'
import { stepBody } from './bodies'
import { merchantPath, understandMerchant } from './gate'
import { facetsOf } from './open-session'
import { notFound } from './read-order'
import { refuse } from './errors'
import type { Gateway } from './state'

/** `GET …/order/{order}/transaction/{transaction}`: one step of an order. */
export function readTransactionOperation(gateway: Gateway): Operation {
  return {
    moment: 'query',
    method: 'GET',
    path: `${merchantPath}/order/{order}/transaction/{transaction}`,
    understand: (call) => understandMerchant(gateway, call, () => understandStep(gateway, call)),
  }
}

function understandStep(gateway: Gateway, { params }: WireCall): Understood {
  const id = params['order'] ?? ''
  const order = gateway.orders.get(id)
  const step = order?.steps.find((one) => one.id === params['transaction'])
  if (order === undefined || step === undefined) return refuse('not_found', notFound(gateway, id))
  const facets = facetsOf(gateway, order.request)
  return {
    kind: 'understood',
    facets,
    perform() {
      gateway.world.events.append('query_answered', {
        ...shownFacets(facets),
        result: step.result,
      })
      const body = stepBody(gateway, order, step)
      return { answer: { status: 200, contentType: 'application/json', body } }
    },
  }
}
