import type { IncomingMessage } from 'node:http'
import { digestKey, isPossibleKey, type KeyMode } from '@malipo/contracts/key'
import { Fault } from '@malipo/kernel/errors'
import { addressGroup, type ClientAddress } from '@malipo/runtime/client-address'
import type { Clock } from '@malipo/runtime/clock'
import { openLocalWindows } from '@malipo/runtime/local-windows'
import { happenings } from '@malipo/runtime/metrics'
import { LRUCache } from 'lru-cache'
import { openKeyCache, type VerifyKey } from './key-cache'
import { ratePolicies } from './rate-window'

/** As many as are remembered to be good at the moment. */
const knownGoodMax = 10_000

/** The account whose secret key a request carries. Faults: key_refused, rate_limited, keys_unavailable. */
export type Authenticate = (request: IncomingMessage) => Promise<string>

export interface AuthenticateOptions {
  readonly keyMode: KeyMode
  readonly keyCheckSecret: Buffer
  readonly keyCacheSeconds: number
  readonly clock: Clock
  readonly clientAddress: ClientAddress
  /** Asks the key service. */
  readonly verify: VerifyKey
}

/**
 * Most of what is no key ends here: a wrong shape, a key of the other mode, and, by its tag, a key that we never
 * issued cost no look-up and take no room in the cache.
 */
export function openAuthenticate(options: AuthenticateOptions): Authenticate {
  const { keyMode, keyCheckSecret, keyCacheSeconds, verify, clock } = options
  const verifyCached = openKeyCache({ verify, ttlMs: keyCacheSeconds * 1_000, clock })
  const knownGood = new LRUCache<string, true>({ max: knownGoodMax })
  const limitStrangers = openLimitStrangers(options)
  return async (request) => {
    const key = bearerOf(request)
    const digest = digestKey(key)
    const name = digest.toString('base64')
    if (!knownGood.has(name)) limitStrangers(request)
    const accountId = isPossibleKey(key, keyMode, keyCheckSecret)
      ? await verifyCached(digest)
      : undefined
    if (accountId === undefined) {
      knownGood.delete(name)
      return refuse()
    }
    knownGood.set(name, true)
    return accountId
  }
}

/**
 * Makes an address wait that keeps coming with keys which were never good: before the key service is asked, and without
 * Redis, so that a flood costs each request a look at a list. Whose key was good once is no stranger, so nobody's work
 * is stopped by a neighbour behind the same address.
 */
function openLimitStrangers({
  clock,
  clientAddress,
}: Pick<AuthenticateOptions, 'clock' | 'clientAddress'>): (request: IncomingMessage) => void {
  const count = openLocalWindows(clock)
  return (request) => {
    const { isAllowed, waitMs } = count(ratePolicies.stranger, addressGroup(clientAddress(request)))
    if (isAllowed) return
    happenings.inc({ name: 'rate_limited_stranger' })
    throw new Fault('rate_limited', { retry_after_seconds: Math.max(1, Math.ceil(waitMs / 1_000)) })
  }
}

/** The one bearer token of a request; empty when there is none, or more than one Authorization header. */
function bearerOf(request: IncomingMessage): string {
  const count = request.rawHeaders.filter(
    (text, index) => index % 2 === 0 && text.toLowerCase() === 'authorization',
  ).length
  const value = count === 1 ? request.headers.authorization : undefined
  return /^Bearer +([^\s]+)$/i.exec(value ?? '')?.[1] ?? ''
}

function refuse(): never {
  happenings.inc({ name: 'key_refused' })
  throw new Fault('key_refused')
}
