import type { Operation } from '../rules/rail'
import { asFields, fieldText } from '../wire-call'
import { referenceOf, understandSubscribed } from './gate'
import { refuse } from './errors'
import type { MtnMomo } from './state'

/** Enough for every test of a long run. Further users are refused. */
const usersMax = 1_000

/** `POST /v1_0/apiuser`: creates an API user of the sandbox, whose id is the `X-Reference-Id` (providers.md 3.1). */
export function createUserOperation(mtn: MtnMomo): Operation {
  return {
    moment: 'register',
    method: 'POST',
    path: '/v1_0/apiuser',
    understand: (call) =>
      understandSubscribed(mtn, call, () => {
        const id = referenceOf(call)
        const callbackHost = fieldText(asFields(call.json) ?? {}, 'providerCallbackHost')
        if (id === undefined || callbackHost === '') return refuse('bad_request')
        if (mtn.users.has(id)) return refuse('duplicate')
        if (mtn.users.size >= usersMax) return refuse('service_unavailable')
        return {
          kind: 'understood',
          facets: {},
          perform() {
            const user = {
              id,
              callbackHost,
              targetEnvironment: 'sandbox',
              apiKey: undefined,
            } as const
            mtn.users.set(id, { ...user })
            return { answer: { status: 201, contentType: 'application/json', body: '' } }
          },
        }
      }),
  }
}
