import { Fault } from '@malipo/kernel/errors'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { StoreCallback } from './store-callback'

/** The form of the ledger's tokens. Another form is refused without a lookup. */
const tokenShape = /^[0-9a-f]{16,128}$/

/**
 * `POST` or `PUT /callbacks/{token}` on the providers' listener: the callback address of one prompt. The worker
 * interprets the body.
 */
export function receiveProviderMessage(storeCallback: StoreCallback): Operation {
  return (request, response) =>
    storeCallback(request, response, () => {
      const token = request.params['token']
      if (typeof token !== 'string' || !tokenShape.test(token)) throw new Fault('route_not_found')
      return Promise.resolve({ subject: { kind: 'token', token } })
    })
}
