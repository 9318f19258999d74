import { Fault } from '@malipo/kernel/errors'
import { type Answer, jsonAnswer } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/door'
import type { Bell } from '@malipo/runtime/queue'
import type { Ledger } from '../clients/ledger'
import { addressGroup, type ClientAddress } from './client-address'
import type { LimitRate } from './limit-rate'
import type { Networks } from './networks'
import { ratePolicies } from './rate-window'
import { readBytes } from './read-bytes'

export interface ReceiveOptions {
  readonly clientAddress: ClientAddress
  /** Where providers call from: part of what a message is worth, and free of the limit. */
  readonly sources: Networks
  readonly limitRate: LimitRate
  readonly ledger: Ledger
  readonly readBell: Bell
}

const bodyBytesMax = 8_192
/** What the ledger hands out. Another shape is nobody's and costs no look-up. */
const tokenShape = /^[0-9a-f]{16,128}$/
/** What Daraja wants to hear. Said before anybody has read the message: it is kept, and that is all it asks. */
const accepted: Answer = jsonAnswer(200, { ResultCode: 0, ResultDesc: 'Accepted' })

/**
 * `POST /callbacks/{token}` on the providers' own listener. The body is kept as it came, whatever it is; what it means
 * is the worker's to find out. Not to be kept (503) is the one thing that a provider should try again.
 */
export function receiveProviderMessage(options: ReceiveOptions): Operation {
  const { clientAddress, sources, limitRate, ledger, readBell } = options
  return async (request, response) => {
    const token = request.params['token']
    const sourceAddress = clientAddress(request)
    const isSourceKnown = sources.has(sourceAddress)
    if (!isSourceKnown)
      await limitRate(response, ratePolicies.callback, addressGroup(sourceAddress))
    if (typeof token !== 'string' || !tokenShape.test(token)) throw new Fault('route_not_found')
    const body = await readBytes(request, bodyBytesMax)
    const messageId = await ledger.storeCallback({ token, body, sourceAddress, isSourceKnown })
    void readBell.ring(messageId)
    return accepted
  }
}
