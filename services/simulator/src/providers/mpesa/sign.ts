import type { Understood, WireCall } from '../rules/rail'
import { asFields, fieldText, headerText, type Fields } from '../wire-call'
import { isShortCode, type MpesaSettings } from './settings'
import { refuse, refuseField, type Refused } from './errors'
import type { Mpesa } from './state'
import { tokenProblem } from './issue-token'

/**
 * What the push and the query have in common: a token, a JSON body, good fields, a merchant who exists, and a
 * password that is base64 of short code, passkey and timestamp.
 */
export function understandSigned(
  mpesa: Mpesa,
  call: WireCall,
  badField: (fields: Fields, settings: MpesaSettings) => string | undefined,
  understand: (fields: Fields) => Understood,
): Understood {
  const problem = tokenProblem(mpesa, call, 'invalid_token')
  if (problem !== undefined) return refuse(mpesa, problem)
  // A missing content type shows as a missing first field: the portal says so itself.
  if (!isJson(call)) return refuseField(mpesa, 'BusinessShortCode')
  const fields = asFields(call.json)
  if (fields === undefined) return refuse(mpesa, 'invalid_payload')
  const bad = badField(fields, mpesa.settings)
  if (bad !== undefined) return refuseField(mpesa, bad)
  return refuseSignature(mpesa, fields) ?? understand(fields)
}

function refuseSignature(mpesa: Mpesa, fields: Fields): Refused | undefined {
  const shortCode = fieldText(fields, 'BusinessShortCode')
  if (!isShortCode(mpesa.settings, shortCode)) return refuse(mpesa, 'unknown_merchant')
  const signature = shortCode + mpesa.settings.passkey + fieldText(fields, 'Timestamp')
  const expected = Buffer.from(signature).toString('base64')
  return fieldText(fields, 'Password') === expected ? undefined : refuse(mpesa, 'wrong_credentials')
}

function isJson(call: WireCall): boolean {
  return /^application\/json\b/i.test(headerText(call, 'content-type'))
}
