import type { Phone } from '../../phones/rules/phone'
import type { Operation, Performed, Understood, WireCall } from '../rules/rail'
import { showPrompt } from '../../phones/rules/phone-prompt'
import { shownFacets } from '../../sessions/rules/world'
import { headerText } from '../wire-call'
import { conclude, fail, succeed } from './conclude'
import { errorAnswer, type MtnError, refuse } from './errors'
import { referenceOf, understandAuthorised } from './gate'
import { readPayFields, type PayFields } from './pay-fields'
import { scriptOf, type Step } from './sandbox-numbers'
import { currencies } from './settings'
import type { ApiUser, MtnMomo, PayRequest } from './state'

/** `POST /collection/v1_0/requesttopay`: asks a phone for money (providers.md 3.3). */
export function requestToPayOperation(mtn: MtnMomo): Operation {
  return {
    moment: 'push',
    method: 'POST',
    path: '/collection/v1_0/requesttopay',
    understand: (call) =>
      understandAuthorised(mtn, call, 'collection', (user) => understandPay(mtn, call, user)),
  }
}

function understandPay(mtn: MtnMomo, call: WireCall, user: ApiUser): Understood {
  const referenceId = referenceOf(call)
  const fields = readPayFields(call.json, 'payer')
  if (referenceId === undefined || fields === undefined) return refuse('bad_request')
  const problem = configurationProblem(call, user, fields)
  if (problem !== undefined) return refuse(problem)
  const facets = {
    msisdn: fields.msisdn,
    amountMinor: fields.amountMinor,
    business: mtn.settings.targetEnvironment,
    account: fields.externalId,
  }
  return {
    kind: 'understood',
    facets,
    // Checked in `perform`, so that rules apply to a call with a used reference too.
    perform: () =>
      mtn.requests.get(referenceId)
        ? { answer: errorAnswer('duplicate') }
        : accept(mtn, {
            ...fields,
            ...facets,
            referenceId,
            user,
            callbackUrl: callbackUrlOf(call),
            state: { status: 'CREATED' },
            waiting: [],
            calledBack: false,
          }),
  }
}

export function configurationProblem(
  call: WireCall,
  user: ApiUser,
  { currency, party }: PayFields,
): MtnError | undefined {
  if (party.partyIdType === 'EMAIL' && user.targetEnvironment !== 'sandbox') return 'bad_request'
  if (currency !== currencies[user.targetEnvironment]) return 'invalid_currency'
  const url = call.headers['x-callback-url']
  if (url === undefined) return undefined
  // An empty header is malformed, and only the registered host is called back.
  if (typeof url !== 'string' || !URL.canParse(url)) return 'bad_request'
  const { host, hostname } = new URL(url)
  const isOurs = user.callbackHost === host || user.callbackHost === hostname
  return isOurs ? undefined : 'invalid_callback_url_host'
}

export function callbackUrlOf(call: WireCall): string | undefined {
  return headerText(call, 'x-callback-url') || undefined
}

/** How long the network takes to find the payer, or to know that there is none. An estimate. */
export const networkMs = 500

function accept(mtn: MtnMomo, request: PayRequest): Performed {
  const { world } = mtn
  mtn.requests.set(request.referenceId, request)
  world.events.append('push_accepted', { ...shownFacets(request), reference: request.referenceId })
  const script = scriptOf(request.party)
  if (script === undefined) {
    world.time.after(networkMs, () => {
      present(mtn, request)
    })
  } else follow(mtn, request, script)
  return {
    answer: { status: 202, contentType: 'application/json', body: '' },
    reference: request.referenceId,
    whenCalledBack(run) {
      if (request.calledBack) run()
      else request.waiting.push(run)
    },
  }
}

/** Plays what MTN's sandbox does with one of its numbers. */
export function follow(mtn: MtnMomo, request: PayRequest, [step, ...rest]: readonly Step[]): void {
  if (step === undefined) return
  mtn.world.time.after(step.afterMs, () => {
    if (step.status === 'SUCCESSFUL') succeed(mtn, request)
    else if (step.status === 'FAILED')
      fail(mtn, request, step.reason ?? 'INTERNAL_PROCESSING_ERROR')
    else request.state = { status: step.status }
    follow(mtn, request, rest)
  })
}

/** MTN gives the payer five minutes (providers.md 3.3). */
const ringMs = 300_000

function present(mtn: MtnMomo, request: PayRequest): void {
  const phone = mtn.world.phones.find(request.msisdn)
  if (!isWallet(phone)) {
    fail(mtn, request, 'PAYER_NOT_FOUND')
    return
  }
  // A phone has one prompt at a time. MTN does not publish what happens to a second one; here it fails.
  if (phone.prompt !== undefined) {
    fail(mtn, request, 'INTERNAL_PROCESSING_ERROR')
    return
  }
  request.state = { status: 'PENDING' }
  showPrompt(mtn.world, phone, request.referenceId, {
    rail: 'mtn_momo',
    business: request.business,
    businessName: mtn.settings.businessName,
    account: request.account,
    amountMinor: request.amountMinor,
    ringMs,
    concluded: (outcome) => {
      conclude(mtn, phone, request, outcome)
    },
  })
}

export function isWallet(phone: Phone | undefined): phone is Phone {
  return phone?.network === 'mtn' && phone.simState !== 'not_registered'
}
