import { Fault } from '@malipo/kernel/errors'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { KeepCallback } from './keep-callback'

/** The form of the ledger's tokens. Another form is refused without a lookup. */
const tokenShape = /^[0-9a-f]{16,128}$/

/**
 * `POST` or `PUT /callbacks/{token}` on the providers' own listener: the address that a provider was given with one
 * prompt. What the body means is the worker's to find out.
 */
export function receiveProviderMessage(keep: KeepCallback): Operation {
  return (request, response) =>
    keep(request, response, () => {
      const token = request.params['token']
      if (typeof token !== 'string' || !tokenShape.test(token)) throw new Fault('route_not_found')
      return Promise.resolve({ subject: { kind: 'token', token } })
    })
}
