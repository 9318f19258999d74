import type { Operation, Rail } from '../../domain/rail'
import { createKeyOperation } from './create-key'
import { createUserOperation } from './create-user'
import { errorAnswer, errorNames } from './errors'
import { issueTokenOperation } from './issue-token'
import { readStatusOperation } from './read-status'
import { readUserOperation } from './read-user'
import { requestToPayOperation } from './request-to-pay'
import type { MtnMomoSettings } from './settings'
import { openMtnMomo, openNewPlatform, type MtnMomo, type MtnMomoWiring } from './state'

/**
 * MTN MoMo's Collection API as we understand it, with the provisioning calls of its sandbox. The platform that MTN moves
 * to has a host of its own, which here is a path: `/mtn-new`. Neither knows the users, tokens and payments of the other.
 */
export function mtnMomoRail(settings: MtnMomoSettings, wiring: MtnMomoWiring): Rail {
  const mtn = openMtnMomo(settings, wiring)
  const { newPlatform } = settings
  const moved = newPlatform && openNewPlatform(mtn, newPlatform, wiring.newTokens)
  return {
    name: 'mtn_momo',
    businesses: [{ shortCode: settings.targetEnvironment, name: settings.businessName }],
    operations: [
      createUserOperation(mtn),
      readUserOperation(mtn),
      createKeyOperation(mtn),
      ...collectionOf(mtn),
      ...(moved ? collectionOf(moved).map(atNewPlatform) : []),
    ],
    errorNames,
    errorAnswer,
    stray: (path) =>
      /^\/(?:v1_0|(?:mtn-new\/)?collection)\//.test(path) ? errorAnswer('no_such_path') : undefined,
  }
}

function collectionOf(mtn: MtnMomo): readonly Operation[] {
  return [issueTokenOperation(mtn), requestToPayOperation(mtn), readStatusOperation(mtn)]
}

function atNewPlatform(operation: Operation): Operation {
  return { ...operation, path: `/mtn-new${operation.path}` }
}
