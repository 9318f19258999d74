import type { IncomingMessage } from 'node:http'
import { Fault } from '@malipo/kernel/errors'
import { addressGroup, type ClientAddress } from '@malipo/runtime/client-address'
import type { Clock } from '@malipo/runtime/clock'
import { openLocalWindows } from '@malipo/runtime/local-windows'

export interface LimitTriesDeps {
  readonly clock: Clock
  readonly clientAddress: ClientAddress
}

const perMinute = { limit: 30, windowSeconds: 60 }

/** Limits the requests of an address without a session, as each may store a record in a ledger. Fault: rate_limited. */
export function openLimitTries(
  { clock, clientAddress }: LimitTriesDeps,
  name: string,
): (request: IncomingMessage) => void {
  const count = openLocalWindows(clock)
  return (request) => {
    const { isAllowed, waitMs } = count(
      { name, ...perMinute },
      addressGroup(clientAddress(request)),
    )
    if (isAllowed) return
    throw new Fault('rate_limited', { retry_after_seconds: Math.ceil(waitMs / 1_000) })
  }
}
