import type { IncomingMessage } from 'node:http'
import { digestKey, isPossibleKey, type KeyMode, modeOfKey } from '@malipo/contracts/key'
import { Fault } from '@malipo/kernel/errors'
import type { KeyOwner } from '@malipo/keys-client/keys'
import { addressGroup, type ClientAddress } from '@malipo/runtime/client-address'
import { type Clock, steadyClock } from '@malipo/runtime/clock'
import { openLocalWindows } from '@malipo/runtime/local-windows'
import { notableEvents } from '@malipo/runtime/metrics'
import { openKeyCache, type VerifyKey } from './key-cache'
import { ratePolicies } from '../limits/rate-policies'

/**
 * Authenticates a request by its secret key; returns the key's owner. Faults: key_refused, rate_limited,
 * keys_unavailable.
 */
export type Authenticate = (request: IncomingMessage) => Promise<KeyOwner>

/** The owner of a request's key, without refusing or counting; undefined when there is no valid key. */
export type IdentifyKey = (request: IncomingMessage) => Promise<KeyOwner | undefined>

export interface KeyChecks {
  readonly authenticate: Authenticate
  readonly identify: IdentifyKey
}

export interface AuthenticateOptions {
  readonly keyMode: KeyMode
  readonly keyCheckSecret: Buffer
  readonly keyCacheSeconds: number
  readonly clock: Clock
  readonly clientAddress: ClientAddress
  /** Looks the key up in the key service. */
  readonly verify: VerifyKey
}

/**
 * Most invalid keys are refused here: a wrong shape, a key of the other mode, or a wrong tag costs no lookup and no
 * room in the cache. A key that was accepted lately is no longer checked for its tag, which costs as much as the rest.
 */
export function openAuthenticate(options: AuthenticateOptions): KeyChecks {
  const { keyMode, keyCheckSecret, keyCacheSeconds, verify, clock } = options
  const keys = openKeyCache({
    ...{ verify, ttlMs: keyCacheSeconds * 1_000, clock },
    steady: steadyClock,
  })
  const limitRefusals = openLimitRefusals(options)
  const identify: IdentifyKey = async (request) => {
    const key = bearerOf(request)
    const digest = digestKey(key)
    const owner = keys.accepted(digest)
    if (owner !== undefined) return owner
    return isPossibleKey(key, keyMode, keyCheckSecret) ? keys.verify(digest) : undefined
  }
  return {
    identify,
    async authenticate(request) {
      const owner = await identify(request)
      if (owner !== undefined) return owner
      limitRefusals(request)
      return refuse(whyRefused(request, keyMode))
    },
  }
}

/**
 * Counts the refused keys of an address, in this process and without Redis: an invented key costs only a tag check. A
 * good key is never counted, so that a restart, which empties the cache, refuses no request of a large platform.
 */
function openLimitRefusals({
  clock,
  clientAddress,
}: Pick<AuthenticateOptions, 'clock' | 'clientAddress'>): (request: IncomingMessage) => void {
  const count = openLocalWindows(clock)
  return (request) => {
    const { isAllowed, waitMs } = count(ratePolicies.other, addressGroup(clientAddress(request)))
    if (isAllowed) return
    notableEvents.inc({ name: 'rate_limited_unknown_key' })
    throw new Fault('rate_limited', { retry_after_seconds: Math.max(1, Math.ceil(waitMs / 1_000)) })
  }
}

/** The one bearer token of a request; empty when there is none, or more than one Authorization header. */
function bearerOf(request: IncomingMessage): string {
  const value = authorizationsOf(request) === 1 ? request.headers.authorization : undefined
  return /^Bearer +([^\s]+)$/i.exec(value ?? '')?.[1] ?? ''
}

function authorizationsOf({ rawHeaders }: IncomingMessage): number {
  const names = rawHeaders.filter((_text, index) => index % 2 === 0)
  return names.filter((name) => name.toLowerCase() === 'authorization').length
}

/** Unknown, revoked and foreign keys get the same answer: only the owner may learn which keys exist. */
function whyRefused(request: IncomingMessage, keyMode: KeyMode): string {
  const how = 'send it as Authorization: Bearer mkp_…'
  const [headers, key] = [authorizationsOf(request), bearerOf(request)]
  if (headers === 0) return `The secret key is missing: ${how}`
  if (headers > 1) return `There is more than one Authorization header: ${how}`
  if (key === '') return `The Authorization header is malformed: ${how}`
  const mode = modeOfKey(key)
  if (mode === undefined) return 'The secret key is malformed: copy it whole, as it was shown'
  if (mode !== keyMode) return `This is a ${mode} key, and this host takes ${keyMode} keys`
  return 'The secret key is not known on this host: it may be revoked, or of another country'
}

function refuse(description: string): never {
  notableEvents.inc({ name: 'key_refused' })
  throw new Fault('key_refused', {}, undefined, { description })
}
