import { majorText } from '@malipo/kernel/money'
import { jsonAnswer, type Operation, type Understood } from '../rules/rail'
import { merchantPath, understandMerchant } from './gate'
import { facetsOf } from './open-session'
import { refuse } from './errors'
import type { Gateway } from './state'

/** `GET …/session/{session}`: the order and the merchant that a session was opened for. */
export function readSessionOperation(gateway: Gateway): Operation {
  return {
    moment: 'query',
    method: 'GET',
    path: `${merchantPath}/session/{session}`,
    understand: (call) =>
      understandMerchant(gateway, call, () =>
        understandSession(gateway, call.params['session'] ?? ''),
      ),
  }
}

function understandSession(gateway: Gateway, id: string): Understood {
  const session = gateway.sessions.get(id)
  if (session === undefined) return refuse('invalid_request', `Unable to find session '${id}'`)
  const { request } = session
  return {
    kind: 'understood',
    facets: facetsOf(gateway, request),
    perform: () => ({
      answer: jsonAnswer(200, {
        customer: request.customer,
        interaction: { operation: request.operation, returnUrl: request.returnUrl },
        merchant: gateway.settings.merchantId,
        order: {
          // The answer has the amount as text. Answers about orders have it as a number.
          amount: majorText(request.amountMinor),
          currency: request.currency,
          description: request.description,
          id: request.id,
          notificationUrl: request.notificationUrl,
        },
        session: { id, updateStatus: 'SUCCESS', version: id.slice(-10).toLowerCase() },
        version: request.version,
      }),
    }),
  }
}
