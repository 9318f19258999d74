import { Fault } from '@malipo/kernel/errors'
import type { Response } from 'express'
import { LRUCache } from 'lru-cache'
import type { LimitRate } from './limit-rate'
import { ratePolicies } from './rate-window'

/** More addresses than all providers call from. */
const heardMax = 10_000

/** Whoever calls as a provider does. */
export interface Caller {
  readonly response: Response
  /** As limits count it. */
  readonly address: string
  /** On the list of a provider. */
  readonly isListed: boolean
}

/** Counts one call about a payment. Fault: rate_limited. */
export type LimitSubject = (subject: string) => Promise<void>

/**
 * Hears a caller, as often as becomes one. Fault: rate_limited. `hear` is told how to count the payment that a call is
 * about, and throws `route_not_found` when it is about none.
 */
export type LimitCallers = <Heard>(
  caller: Caller,
  hear: (limitSubject: LimitSubject) => Promise<Heard>,
) => Promise<Heard>

/**
 * MTN, Airtel and card gateways publish no addresses, and call as often as their payers pay. So an address is counted
 * until a call from it was about a payment of ours; from then on the payments are, each. An address that calls about
 * nothing of ours is a stranger again, and that call is counted too.
 */
export function openLimitCallers(limitRate: LimitRate): LimitCallers {
  const heard = new LRUCache<string, true>({ max: heardMax })
  return async ({ response, address, isListed }, hear) => {
    if (isListed) return hear(unlimited)
    const count: LimitSubject = (subject) => limitRate(response, ratePolicies.callback, subject)
    const isStranger = !heard.has(address)
    if (isStranger) await count(address)
    const told = await hear(isStranger ? unlimited : count).catch(async (error: unknown) => {
      if (!isStranger && isAboutNobody(error)) {
        heard.delete(address)
        await count(address)
      }
      throw error
    })
    heard.set(address, true)
    return told
  }
}

const unlimited: LimitSubject = () => Promise.resolve()

function isAboutNobody(error: unknown): boolean {
  return error instanceof Fault && error.reason === 'route_not_found'
}
