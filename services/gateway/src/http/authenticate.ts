import type { IncomingMessage } from 'node:http'
import { digestKey, isPossibleKey, type KeyMode } from '@malipo/contracts/key'
import { Fault } from '@malipo/kernel/errors'
import type { Clock } from '@malipo/runtime/clock'
import { happenings } from '@malipo/runtime/metrics'
import { openKeyCache, type VerifyKey } from './key-cache'

/** The account whose secret key a request carries. Faults: key_refused, keys_unavailable. */
export type Authenticate = (request: IncomingMessage) => Promise<string>

export interface AuthenticateOptions {
  readonly keyMode: KeyMode
  readonly keyCheckSecret: Buffer
  readonly keyCacheSeconds: number
  readonly clock: Clock
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
  return async (request) => {
    const key = bearerOf(request)
    const accountId = isPossibleKey(key, keyMode, keyCheckSecret)
      ? await verifyCached(digestKey(key))
      : undefined
    return accountId ?? refuse()
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
