import { jsonAnswer, type Operation } from '../rules/rail'
import { understandSubscribed } from './gate'
import { refuse } from './errors'
import { type MtnMomo, userOf } from './state'

/** `GET /v1_0/apiuser/{id}`: the callback host and the environment of a user. A key is shown only once, at creation. */
export function readUserOperation(mtn: MtnMomo): Operation {
  return {
    moment: 'register',
    method: 'GET',
    path: '/v1_0/apiuser/{id}',
    understand: (call) =>
      understandSubscribed(mtn, call, () => {
        const user = userOf(mtn, call.params['id'] ?? '')
        if (user === undefined) return refuse('not_found')
        const { callbackHost: providerCallbackHost, targetEnvironment } = user
        const answer = jsonAnswer(200, { providerCallbackHost, targetEnvironment })
        return { kind: 'understood', facets: {}, perform: () => ({ answer }) }
      }),
  }
}
