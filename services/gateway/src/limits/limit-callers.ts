import { Fault } from '@malipo/kernel/errors'
import type { Response } from 'express'
import { LRUCache } from 'lru-cache'
import type { LimitRate } from './limit-rate'
import { ratePolicies } from './rate-policies'

/** More addresses than all providers use. */
const knownAddressesMax = 10_000

export interface Caller {
  readonly response: Response
  /** The address as rate limits count it. */
  readonly address: string
  /** Whether the address is on a provider's list. */
  readonly isListed: boolean
}

/** Counts one call about a payment. Fault: rate_limited. */
export type LimitSubject = (subject: string) => Promise<void>

/**
 * Applies the callback rate limit. Fault: rate_limited. `handle` receives the function that counts the payment of the
 * call, and throws `route_not_found` when the call concerns no payment.
 */
export type LimitCallers = <Result>(
  caller: Caller,
  handle: (limitSubject: LimitSubject) => Promise<Result>,
) => Promise<Result>

/**
 * MTN, Airtel and card gateways publish no addresses, and call as often as their payers pay. So an address is counted
 * until a call from it concerned a payment of ours; from then on each payment is counted. A call about no payment
 * makes its address unknown again, and is counted too.
 */
export function openLimitCallers(limitRate: LimitRate): LimitCallers {
  const known = new LRUCache<string, true>({ max: knownAddressesMax })
  return async ({ response, address, isListed }, handle) => {
    if (isListed) return handle(unlimited)
    const count: LimitSubject = async (subject) => {
      await limitRate(response, ratePolicies.callback, subject)
    }
    const isUnknown = !known.has(address)
    if (isUnknown) await count(address)
    const result = await handle(isUnknown ? unlimited : count).catch(async (error: unknown) => {
      if (!isUnknown && hasNoSubject(error)) {
        known.delete(address)
        await count(address)
      }
      throw error
    })
    known.set(address, true)
    return result
  }
}

const unlimited: LimitSubject = () => Promise.resolve()

function hasNoSubject(error: unknown): boolean {
  return error instanceof Fault && error.reason === 'route_not_found'
}
