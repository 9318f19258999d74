import { majorText } from '@malipo/kernel/money'
import { jsonAnswer, type Operation, type Understood } from '../rules/rail'
import { merchantPath, understandMerchant } from './gate'
import { facetsOf } from './open-session'
import { refuse } from './errors'
import type { Gateway } from './state'

/** `GET …/session/{session}`: what a session is for. */
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
  const { asked } = session
  return {
    kind: 'understood',
    facets: facetsOf(gateway, asked),
    perform: () => ({
      answer: jsonAnswer(200, {
        customer: asked.customer,
        interaction: { operation: asked.operation, returnUrl: asked.returnUrl },
        merchant: gateway.settings.merchantId,
        order: {
          // Sessions keep the amount as the text that the merchant could have sent.
          amount: majorText(asked.amountMinor),
          currency: asked.currency,
          description: asked.description,
          id: asked.id,
          notificationUrl: asked.notificationUrl,
        },
        session: { id, updateStatus: 'SUCCESS', version: id.slice(-10).toLowerCase() },
        version: asked.version,
      }),
    }),
  }
}
