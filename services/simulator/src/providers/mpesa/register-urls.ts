import { jsonAnswer, type Operation, type Understood } from '../rules/rail'
import { asFields, fieldText, type Fields } from '../wire-call'
import { invalidRegistration, refuse } from './errors'
import { isRegistrableUrl } from './fields'
import { nextRequestId } from './ids'
import { isReceivingNumber } from './settings'
import type { Mpesa, RegisteredUrls } from './state'
import { tokenProblem } from './issue-token'

/** `POST /mpesa/c2b/v{1,2}/registerurl`: addresses may be registered again, as in the sandbox (providers.md 2.1). */
export function registerUrlsOperation(mpesa: Mpesa, version: 'v1' | 'v2'): Operation {
  return {
    moment: 'register',
    method: 'POST',
    path: `/mpesa/c2b/${version}/registerurl`,
    understand(call) {
      const problem = tokenProblem(mpesa, call, 'invalid_token_c2b')
      if (problem !== undefined) return refuse(mpesa, problem)
      const fields = asFields(call.json)
      if (fields === undefined) return refuse(mpesa, 'invalid_payload')
      return understandUrls(mpesa, fields, version)
    },
  }
}

function understandUrls(mpesa: Mpesa, fields: Fields, version: 'v1' | 'v2'): Understood {
  const business = fieldText(fields, 'ShortCode')
  const responseType = fieldText(fields, 'ResponseType')
  const [confirmationUrl, validationUrl] = [
    fieldText(fields, 'ConfirmationURL'),
    fieldText(fields, 'ValidationURL'),
  ]
  if (!isReceivingNumber(mpesa.settings, business)) return refuseRegistration(mpesa, 'ShortCode')
  // Daraja takes the word in sentence case only.
  if (responseType !== 'Completed' && responseType !== 'Cancelled') {
    return refuseRegistration(mpesa, 'ResponseType')
  }
  if (!isRegistrableUrl(confirmationUrl)) return refuseRegistration(mpesa, 'ConfirmationURL')
  if (!isRegistrableUrl(validationUrl)) return refuseRegistration(mpesa, 'ValidationURL')
  const urls: RegisteredUrls = { confirmationUrl, validationUrl, responseType, version }
  return {
    kind: 'understood',
    facets: { business },
    perform: () => register(mpesa, business, urls),
  }
}

function refuseRegistration(mpesa: Mpesa, field: string): Understood {
  const answer = invalidRegistration(field, nextRequestId(mpesa))
  return { kind: 'refused', answer, why: `Invalid ${field}` }
}

function register(mpesa: Mpesa, business: string, urls: RegisteredUrls) {
  mpesa.registration.set(business, urls)
  mpesa.world.events.append('urls_registered', { business })
  return { answer: answerAccepted(mpesa) }
}

/** The first key is misspelt on the wire. */
export function answerAccepted(mpesa: Mpesa) {
  return jsonAnswer(200, {
    OriginatorCoversationID: nextRequestId(mpesa),
    ResponseCode: '0',
    ResponseDescription: 'Success',
  })
}
