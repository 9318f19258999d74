import { createPublicKey, verify } from 'node:crypto'
import { placeOf, type Records } from './records'

/** A browser signs a challenge to prove that it has an operator's key. Each is used once and within five minutes. */
export interface Challenges {
  make(): Promise<string>
  /** Whether this console made the challenge less than five minutes ago, and it is used for the first time. */
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
 * The text that is signed. Its first line keeps it apart from an act. The origin keeps another console from having our
 * challenge signed at its own address.
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
