import { drawHex } from '../../sessions/rules/draw'
import { jsonAnswer, type Operation } from '../rules/rail'
import { bodyProblem, understandSubscribed } from './gate'
import { refuse } from './errors'
import { type ApiUser, type MtnMomo, userOf } from './state'

/** `POST /v1_0/apiuser/{id}/apikey`: a new key ends the previous key and its tokens (providers.md 3.1). */
export function createKeyOperation(mtn: MtnMomo): Operation {
  return {
    moment: 'register',
    method: 'POST',
    path: '/v1_0/apiuser/{id}/apikey',
    understand: (call) =>
      understandSubscribed(mtn, call, () => {
        const problem = bodyProblem(call)
        if (problem !== undefined) return refuse(problem)
        const user = userOf(mtn, call.params['id'] ?? '')
        if (user === undefined) return refuse('not_found')
        return {
          kind: 'understood',
          facets: {},
          perform: () => ({ answer: jsonAnswer(201, { apiKey: newKey(mtn, user) }) }),
        }
      }),
  }
}

function newKey(mtn: MtnMomo, user: ApiUser): string {
  mtn.counts.keys += 1
  user.apiKey = drawHex(mtn.world.seed, `mtn key ${String(mtn.counts.keys)}`, 32)
  return user.apiKey
}
