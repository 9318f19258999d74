import type { CountryRules } from '@malipo/kernel/countries'
import { sharedCallbacks } from '@malipo/rails/shared-callbacks'
import type { Route } from '@malipo/runtime/open-app'
import { type KeepCallbackOptions, openKeepCallback } from './keep-callback'
import { receiveProviderMessage } from './receive-provider-message'
import { receiveSharedCallback } from './receive-shared-callback'

/** The providers' own listener. MTN may put what others post. */
export function callbackRoutes(
  rules: CountryRules,
  options: KeepCallbackOptions,
): readonly Route[] {
  const keep = openKeepCallback(options)
  const receive = receiveProviderMessage(keep)
  const shared = rules.mobileRails.flatMap((rail): Route[] => {
    const readSubject = sharedCallbacks[rail]
    if (readSubject === undefined) return []
    const operation = receiveSharedCallback(keep, rail, readSubject)
    return [{ method: 'post', path: `/callbacks/${rail}`, operation }]
  })
  return [
    ...shared,
    { method: 'post', path: '/callbacks/:token', operation: receive },
    { method: 'put', path: '/callbacks/:token', operation: receive },
  ]
}
