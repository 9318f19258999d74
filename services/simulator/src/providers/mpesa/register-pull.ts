import { jsonAnswer, type Operation, type Performed } from '../rules/rail'
import { asFields, fieldText } from '../wire-call'
import { nextRequestId } from './ids'
import { isReceivingNumber } from './settings'
import { refuse } from './errors'
import type { Mpesa } from './state'
import { tokenProblem } from './issue-token'

/** `POST /pulltransactions/v1/register`: registers a short code, once (providers.md 2.4). */
export function registerPullOperation(mpesa: Mpesa): Operation {
  return {
    moment: 'register',
    method: 'POST',
    path: '/pulltransactions/v1/register',
    understand(call) {
      const problem = tokenProblem(mpesa, call, 'invalid_token_pull')
      if (problem !== undefined) return refuse(mpesa, problem)
      const shortCode = fieldText(asFields(call.json) ?? {}, 'ShortCode')
      if (!isReceivingNumber(mpesa.settings, shortCode)) {
        return refuse(mpesa, 'invalid_short_code_pull')
      }
      return {
        kind: 'understood',
        facets: { business: shortCode },
        perform: () => register(mpesa, shortCode),
      }
    },
  }
}

function register(mpesa: Mpesa, shortCode: string): Performed {
  const isNew = !mpesa.registeredForPull.has(shortCode)
  mpesa.registeredForPull.add(shortCode)
  return {
    answer: jsonAnswer(200, {
      ResponseRefID: nextRequestId(mpesa),
      ResponseStatus: isNew ? '1000' : '1001',
      ShortCode: shortCode,
      ResponseDescription: isNew
        ? 'Shortcode Registered Successfully'
        : 'ShortCode already Registered',
    }),
  }
}
