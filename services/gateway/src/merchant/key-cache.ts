import type { KeyOwner } from '@malipo/keys-client/keys'
import type { Clock } from '@malipo/runtime/clock'
import { LRUCache } from 'lru-cache'

/** Some 2 MB each at most. Refusals have their own bound, so that a flood of them evicts no accepted key. */
const acceptedMax = 10_000
const refusedMax = 2_000

/** The owner of the live key with this digest; undefined when there is none. */
export type VerifyKey<Owner = KeyOwner> = (digest: Buffer) => Promise<Owner | undefined>

interface Verdict<Owner> {
  readonly owner: Owner | undefined
  readonly sentAtMs: number
  readonly steadySentAtMs: number
}

export interface KeyCache<Owner> {
  /** The owner that the key service answered lately, from memory; undefined for any other key. */
  accepted(digest: Buffer): Owner | undefined
  readonly verify: VerifyKey<Owner>
}

/**
 * Caches the key service's answer, accepted or refused, for `ttlMs` from the moment of the question (interface,
 * Authentication 8): counted from the answer, a revoked key would live longer. Errors are not cached. Requests during
 * a lookup share it.
 */
export function openKeyCache<Owner>(options: {
  readonly verify: VerifyKey<Owner>
  readonly ttlMs: number
  readonly clock: Clock
  /** Measures ages where `clock` is set back. */
  readonly steady: Clock
}): KeyCache<Owner> {
  const { verify, ttlMs, clock, steady } = options
  const accepted = new LRUCache<string, Verdict<Owner>>({ max: acceptedMax })
  const refused = new LRUCache<string, Verdict<Owner>>({ max: refusedMax })
  const flights = new Map<string, Promise<Verdict<Owner>>>()

  // The clock may be set back, and the steady one may stand still while the machine sleeps.
  const isFresh = ({ sentAtMs, steadySentAtMs }: Verdict<Owner>) => {
    const age = clock.now() - sentAtMs
    return age >= 0 && age < ttlMs && steady.now() - steadySentAtMs < ttlMs
  }
  const check = async (digest: Buffer, name: string): Promise<Verdict<Owner>> => {
    const sent = { sentAtMs: clock.now(), steadySentAtMs: steady.now() }
    const verdict = { owner: await verify(digest), ...sent }
    accepted.delete(name)
    refused.delete(name)
    const cache = verdict.owner === undefined ? refused : accepted
    cache.set(name, verdict)
    return verdict
  }

  const nameOf = (digest: Buffer) => digest.toString('latin1')
  return {
    accepted(digest) {
      const known = accepted.get(nameOf(digest))
      return known !== undefined && isFresh(known) ? known.owner : undefined
    },
    async verify(digest) {
      const name = nameOf(digest)
      const known = accepted.get(name) ?? refused.get(name)
      if (known !== undefined && isFresh(known)) return known.owner
      const flight =
        flights.get(name) ??
        check(digest, name).finally(() => {
          flights.delete(name)
        })
      flights.set(name, flight)
      return (await flight).owner
    },
  }
}
