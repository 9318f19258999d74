import type { Understood, WireCall } from '../rules/rail'
import { credentialsOf } from '../wire-call'
import { isTakenVersion } from './order-fields'
import { refuse } from './errors'
import type { Gateway } from './state'

export const merchantPath = '/api/rest/version/{version}/merchant/{merchant}'

/** Every call must have a version that is taken, the configured merchant, and its password by Basic. */
export function understandMerchant(
  { settings }: Gateway,
  call: WireCall,
  understand: () => Understood,
): Understood {
  const given = Buffer.from(credentialsOf(call, 'Basic') ?? '', 'base64').toString()
  if (given !== `merchant.${settings.merchantId}:${settings.apiPassword}`) {
    return refuse('wrong_credentials')
  }
  if (call.params['merchant'] !== settings.merchantId) return refuse('not_authorised')
  if (!isTakenVersion(settings, call.params['version'] ?? '')) {
    return refuse('invalid_request', 'Unsupported version')
  }
  return understand()
}
