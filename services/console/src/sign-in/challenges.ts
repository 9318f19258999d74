import { createPublicKey, verify } from 'node:crypto'
import { placeOf, type Records } from './records'

/** What a browser signs to prove that it has an operator's key, each used once and within five minutes. */
export interface Challenges {
  make(): Promise<string>
  /** Whether this challenge was made by us, a moment ago, and is used for the first time. */
  use(challenge: string): Promise<boolean>
}

const lasting = { idleSeconds: 300, lifeSeconds: 300 }

export function openChallenges(records: Records): Challenges {
  return {
    make: () => records.keep('challenge', {}, lasting),
    use: async (challenge) => (await records.take('challenge', placeOf(challenge))) !== undefined,
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
