import type { Deliver, Rail } from '../../domain/rail'
import type { World } from '../../domain/world'
import { errorAnswer, errorNames } from './errors'
import { nextRequestId } from './ids'
import { issueTokenOperation } from './issue-token'
import { pushOperation } from './push-stk'
import { queryPullOperation } from './query-pull'
import { queryOperation } from './query-stk'
import { registerPullOperation } from './register-pull'
import type { MpesaSettings } from './settings'
import { openMpesa } from './state'

/** Safaricom's Daraja as we understand it, for one merchant. */
export function darajaRail(settings: MpesaSettings, world: World, deliver: Deliver): Rail {
  const mpesa = openMpesa(settings, world, deliver)
  return {
    name: 'mpesa',
    businesses: [{ shortCode: settings.shortCode, name: settings.businessName }],
    operations: [
      issueTokenOperation(mpesa),
      pushOperation(mpesa),
      queryOperation(mpesa),
      registerPullOperation(mpesa),
      queryPullOperation(mpesa),
    ],
    errorNames,
    errorAnswer: (name) => errorAnswer(name, nextRequestId(mpesa)),
    stray(path, isKnownPath) {
      if (!/^\/(?:oauth|mpesa|pulltransactions)\//.test(path)) return undefined
      return errorAnswer(isKnownPath ? 'method_not_allowed' : 'not_found', nextRequestId(mpesa))
    },
  }
}
