import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Fault } from '@malipo/kernel/errors'
import { type Answer, sendAnswer } from '@malipo/runtime/answer'
import type { CallClass } from '@malipo/runtime/call-classes'
import type { Slots } from '@malipo/runtime/call-slots'
import { addressGroup, type ClientAddress } from '@malipo/runtime/client-address'
import { notableEvents } from '@malipo/runtime/metrics'
import { presentFault } from '@malipo/runtime/present-fault'
import { busyForScript, busyPage } from '../pages/busy-page'
import { sendsFromScript } from '../pages/refuse-fields'
import { chooseTexts } from '../pages/texts/choose-texts'
import type { AllowOrigin } from '../payer/allow-origin'
import { merchantPath } from '../payer/public-routes'
import { openReadPlaces } from './read-places'

type PublicClass = Exclude<CallClass, 'settle'>

const shedNames = {
  pay: 'pay_shed',
  create: 'create_shed',
  read: 'read_shed',
} as const satisfies Record<PublicClass, string>

export interface ShedOptions {
  /** Calls to the ledger in flight. */
  readonly slots: Readonly<Record<PublicClass, Pick<Slots, 'isFull'>>>
  readonly allowOrigin: AllowOrigin
  readonly clientAddress: ClientAddress
}

/**
 * Answers 503 2752 before any work when the request's class is full. A read takes its place here, or waits for one
 * for a short time (`read-places.ts`). A POST takes it with its call to the ledger, because its body may be slow: a
 * client that sends one byte a second must not hold a payment's place. A long wait gives its place back
 * (`leaveReadPlace`).
 */
export function shedLoad(
  handler: RequestListener,
  { slots, allowOrigin, clientAddress }: ShedOptions,
): RequestListener {
  const reads = openReadPlaces()
  const refuse = (callClass: PublicClass, request: IncomingMessage, response: ServerResponse) => {
    notableEvents.inc({ name: shedNames[callClass] })
    if (!isOfMerchant(request)) allowOrigin(request, response)
    answerBusy(request, response)
  }
  return (request, response) => {
    const callClass = classOf(request)
    if (callClass !== 'read') {
      if (slots[callClass].isFull()) refuse(callClass, request, response)
      else handler(request, response)
      return
    }
    reads.enter({
      response,
      address: addressGroup(clientAddress(request)),
      begin: () => {
        handler(request, response)
      },
      refuse: () => {
        refuse('read', request, response)
      },
    })
  }
}

/** The class of a request to the public listener; an unknown path is classed by its method. */
function classOf({ method = '', url = '' }: IncomingMessage): PublicClass {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return 'read'
  return pathOf(url) === merchantPath ? 'create' : 'pay'
}

/** A browser must not hold a secret key, so no page may read an answer of these routes. */
function isOfMerchant({ url = '' }: IncomingMessage): boolean {
  return pathOf(url).startsWith(merchantPath)
}

function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

const busy = new Fault('ledger_unavailable', { shed: true })

function answerBusy(request: IncomingMessage, response: ServerResponse): void {
  const requestId = randomUUID()
  const isPage = /^\/[cp]\/(?!.*(?:\/state|\.svg)$)/.test(pathOf(request.url ?? ''))
  const answer = presentFault(busy, requestId)
  response.setHeader('X-Request-Id', requestId)
  sendAnswer(response, isPage ? answerOfPage(request, answer) : answer)
}

function answerOfPage(request: IncomingMessage, answer: Answer): Answer {
  if (sendsFromScript(request)) return { ...answer, body: busyForScript(chooseTexts(request)) }
  const { Refresh, ...headers } = busyPage.headers
  // A refresh after a press at a handle would open a form with a new key, and lose what an earlier try has begun.
  const isPressOfHandle = request.method === 'POST' && pathOf(request.url ?? '').startsWith('/p/')
  const again = isPressOfHandle ? {} : { Refresh }
  return { ...answer, headers: { ...answer.headers, ...headers, ...again }, body: busyPage.body }
}
