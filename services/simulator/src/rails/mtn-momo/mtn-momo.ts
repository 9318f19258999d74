import type { Rail } from '../../domain/rail'
import { createKeyOperation } from './create-key'
import { createUserOperation } from './create-user'
import { errorAnswer, errorNames } from './errors'
import { issueTokenOperation } from './issue-token'
import { readStatusOperation } from './read-status'
import { readUserOperation } from './read-user'
import { requestToPayOperation } from './request-to-pay'
import type { MtnMomoSettings } from './settings'
import { openMtnMomo, type MtnMomoWiring } from './state'

/** MTN MoMo's Collection API as we understand it, with the provisioning calls of its sandbox. */
export function mtnMomoRail(settings: MtnMomoSettings, wiring: MtnMomoWiring): Rail {
  const mtn = openMtnMomo(settings, wiring)
  return {
    name: 'mtn_momo',
    businesses: [{ shortCode: settings.targetEnvironment, name: settings.businessName }],
    operations: [
      createUserOperation(mtn),
      readUserOperation(mtn),
      createKeyOperation(mtn),
      issueTokenOperation(mtn),
      requestToPayOperation(mtn),
      readStatusOperation(mtn),
    ],
    errorNames,
    errorAnswer,
    stray: (path) =>
      /^\/(?:v1_0|collection)\//.test(path) ? errorAnswer('no_such_path') : undefined,
  }
}
