import { createPublicKey, randomBytes, verify } from 'node:crypto'
import type { Clock } from '@malipo/runtime/clock'
import { LRUCache } from 'lru-cache'

/** What a browser signs to prove that it has an operator's key, each used once and within five minutes. */
export interface Challenges {
  make(): string
  /** Whether this challenge was made here, a moment ago, and is used for the first time. */
  use(challenge: string): boolean
}

const lifeMs = 300_000
const challengesMax = 5_000

export function openChallenges(clock: Clock): Challenges {
  const made = new LRUCache<string, number>({ max: challengesMax })
  return {
    make() {
      const challenge = randomBytes(32).toString('base64url')
      made.set(challenge, clock.now())
      return challenge
    },
    use(challenge) {
      const at = made.get(challenge)
      made.delete(challenge)
      return at !== undefined && clock.now() - at <= lifeMs
    },
  }
}

/**
 * What is signed. Its first line keeps it apart from acts, and the origin from challenges of another console that passes
 * ours on.
 */
function challengeText(origin: string, challenge: string): Buffer {
  return Buffer.from(['malipo console sign-in 1', origin, challenge].join('\n'))
}

export function isChallengeSignedBy(
  publicKey: Buffer,
  signed: { readonly origin: string; readonly challenge: string; readonly signature: Buffer },
): boolean {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') }
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  return verify(null, challengeText(signed.origin, signed.challenge), key, signed.signature)
}
