import type { Operation, Rail } from '../rules/rail'
import { createKeyOperation } from './create-key'
import { createUserOperation } from './create-user'
import { errorAnswer, errorNames } from './errors'
import { findHolderOperation } from './find-holder'
import { issueTokenOperation } from './issue-token'
import { readBalanceOperation } from './read-balance'
import { readHolderOperation } from './read-holder'
import { readStatusOperation } from './read-status'
import { readTransferOperation } from './read-transfer'
import { readUserOperation } from './read-user'
import { requestToPayOperation } from './request-to-pay'
import type { MtnMomoSettings } from './settings'
import { openMtnMomo, openNewPlatform, products, type MtnMomo, type MtnMomoWiring } from './state'
import { transferOperation } from './transfer'

/**
 * MTN MoMo's Collection, Disbursement and Remittance APIs as we understand them, with the provisioning calls of its
 * sandbox. The platform that MTN moves to has another host, which is the path `/mtn-new` here. The platforms do not
 * share users, tokens and payments.
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
      ...productsOf(mtn),
      ...(moved ? productsOf(moved).map(atNewPlatform) : []),
    ],
    errorNames,
    errorAnswer,
    stray: (path) =>
      /^\/(?:v1_0|(?:mtn-new\/)?(?:collection|disbursement|remittance))\//.test(path)
        ? errorAnswer('no_such_path')
        : undefined,
  }
}

function productsOf(mtn: MtnMomo): readonly Operation[] {
  return [
    requestToPayOperation(mtn),
    readStatusOperation(mtn),
    ...(['disbursement', 'remittance'] as const).flatMap((product) => [
      transferOperation(mtn, product),
      readTransferOperation(mtn, product),
    ]),
    ...products.flatMap((product) => [
      issueTokenOperation(mtn, product),
      readBalanceOperation(mtn, product),
      findHolderOperation(mtn, product),
      readHolderOperation(mtn, product),
    ]),
  ]
}

function atNewPlatform(operation: Operation): Operation {
  return { ...operation, path: `/mtn-new${operation.path}` }
}
