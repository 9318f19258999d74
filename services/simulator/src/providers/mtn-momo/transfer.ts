import type { Operation, Performed, Understood, WireCall } from '../rules/rail'
import { shownFacets } from '../../sessions/rules/world'
import { fail, succeed } from './conclude'
import { errorAnswer, refuse } from './errors'
import { referenceOf, understandAuthorised } from './gate'
import { readPayFields } from './pay-fields'
import { callbackUrlOf, configurationProblem, follow, isWallet, networkMs } from './request-to-pay'
import { scriptOf } from './sandbox-numbers'
import type { ApiUser, MtnMomo, PayRequest, Product } from './state'

export type SendingProduct = Exclude<Product, 'collection'>

/** `POST /{product}/v1_0/transfer`: the merchant sends money to a wallet. */
export function transferOperation(mtn: MtnMomo, product: SendingProduct): Operation {
  return {
    moment: 'payout',
    method: 'POST',
    path: `/${product}/v1_0/transfer`,
    understand: (call) =>
      understandAuthorised(mtn, call, product, (user) =>
        understandTransfer(mtn, call, user, product),
      ),
  }
}

export function transferKey(product: SendingProduct, referenceId: string): string {
  return `${product} ${referenceId}`
}

function understandTransfer(
  mtn: MtnMomo,
  call: WireCall,
  user: ApiUser,
  product: SendingProduct,
): Understood {
  const referenceId = referenceOf(call)
  const fields = readPayFields(call.json, 'payee')
  if (referenceId === undefined || fields === undefined) return refuse('bad_request')
  const problem = configurationProblem(call, user, fields)
  if (problem !== undefined) return refuse(problem)
  const { msisdn, amountMinor, externalId: account } = fields
  const facets = { msisdn, amountMinor, business: mtn.settings.targetEnvironment, account }
  const key = transferKey(product, referenceId)
  const request: PayRequest = {
    ...fields,
    ...facets,
    referenceId,
    user,
    callbackUrl: callbackUrlOf(call),
    state: { status: 'PENDING' },
    waiting: [],
    calledBack: false,
  }
  // Checked in `perform`, so that rules apply to a call with a used reference too.
  const perform = () =>
    mtn.transfers.get(key) ? { answer: errorAnswer('duplicate') } : accept(mtn, key, request)
  return { kind: 'understood', facets, perform }
}

function accept(mtn: MtnMomo, key: string, request: PayRequest): Performed {
  const { world } = mtn
  mtn.transfers.set(key, request)
  const reference = request.referenceId
  world.events.append('payout_accepted', { ...shownFacets(request), reference })
  const script = scriptOf(request.party)
  if (script !== undefined) follow(mtn, request, script)
  else {
    world.time.after(networkMs, () => {
      deliver(mtn, request)
    })
  }
  return { answer: { status: 202, contentType: 'application/json', body: '' } }
}

function deliver(mtn: MtnMomo, request: PayRequest): void {
  const phone = mtn.world.phones.find(request.msisdn)
  if (!isWallet(phone)) fail(mtn, request, 'PAYEE_NOT_FOUND')
  else if (phone.simState === 'locked') fail(mtn, request, 'PAYEE_NOT_ALLOWED_TO_RECEIVE')
  else succeed(mtn, request, phone)
}
