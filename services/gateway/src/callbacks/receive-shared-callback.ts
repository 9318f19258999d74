import { Fault } from '@malipo/kernel/errors'
import type { MobileRail } from '@malipo/kernel/countries'
import type { ReadSubject } from '@malipo/rails/shared-callbacks'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { StoreCallback } from './store-callback'

/**
 * `POST /callbacks/{rail}` on the providers' listener, for a provider with one address for all payments: the body names
 * the payment. Anyone can write such a body, so it moves no money: the ledger queries the provider, and a valid
 * signature in the body binds a report of payment to its intent.
 */
export function receiveSharedCallback(
  storeCallback: StoreCallback,
  rail: MobileRail,
  readSubject: ReadSubject,
): Operation {
  return (request, response) =>
    storeCallback(request, response, async (readBody) => {
      const intentId = readSubject(await readBody())
      if (intentId === undefined) throw new Fault('route_not_found')
      return { subject: { kind: 'intent', intentId, rail } }
    })
}
