import type { Operation, Rail } from '../rules/rail'
import { errorAnswer, errorNames } from './errors'
import { nextRequestId } from './ids'
import { generateQrOperation } from './generate-qr'
import { issueTokenOperation } from './issue-token'
import { orderOperation } from './operation'
import { payBusiness } from './pay-business'
import { payCustomer, payCustomerNamed } from './pay-customer'
import { payFromMenu } from './pay-from-menu'
import { pushOperation } from './push-stk'
import { queryBalance } from './query-balance'
import { queryPullOperation } from './query-pull'
import { queryStatus } from './query-status'
import { queryOperation } from './query-stk'
import { registerPullOperation } from './register-pull'
import { registerUrlsOperation } from './register-urls'
import { reversal } from './reverse'
import { receivingNumbers, type MpesaSettings } from './settings'
import { simulatePayBillOperation } from './simulate-pay-bill'
import { type Mpesa, openMpesa, type MpesaWiring } from './state'

const orders = [reversal, queryStatus, queryBalance, payCustomer, payCustomerNamed, payBusiness]

/** Safaricom's Daraja as we understand it, for one merchant. */
export function darajaRail(settings: MpesaSettings, wiring: MpesaWiring): Rail {
  const mpesa = openMpesa(settings, wiring)
  return {
    name: 'mpesa',
    businesses: receivingNumbers(settings).map((shortCode) => ({
      shortCode,
      name: settings.businessName,
    })),
    operations: [
      issueTokenOperation(mpesa),
      pushOperation(mpesa),
      queryOperation(mpesa),
      registerPullOperation(mpesa),
      ...statementOperations(mpesa),
      ...orders.map((order) => orderOperation(mpesa, order)),
      generateQrOperation(mpesa),
      ...(['v1', 'v2'] as const).flatMap((version) => [
        registerUrlsOperation(mpesa, version),
        simulatePayBillOperation(mpesa, version),
      ]),
    ],
    payFromMenu: (phone, wanted) => payFromMenu(mpesa, phone, wanted),
    readCode: (picture) => mpesa.codes.get(picture),
    operatorKey: () => mpesa.operatorKey.publicKey(),
    errorNames,
    errorAnswer: (name) => errorAnswer(name, nextRequestId(mpesa)),
    stray(path, isKnownPath) {
      if (!/^\/(?:oauth|mpesa|pulltransactions)\//.test(path)) return undefined
      return errorAnswer(isKnownPath ? 'method_not_allowed' : 'not_found', nextRequestId(mpesa))
    },
  }
}

/** The portal's sample uses POST, its page GET: both are taken. A GET without a body has its fields in the query. */
function statementOperations(mpesa: Mpesa): readonly Operation[] {
  const post = queryPullOperation(mpesa)
  const understand: Operation['understand'] = (call) =>
    post.understand({ ...call, json: call.json ?? call.query })
  return [post, { ...post, method: 'GET', understand }]
}
