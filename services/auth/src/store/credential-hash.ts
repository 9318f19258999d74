import { createHmac } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { openTurns } from './turns'

/** What a secret of an account is for. A hash made for one account and purpose proves nothing for another. */
export interface CredentialOwner {
  readonly accountId: string
  readonly purpose: 'password' | 'pin'
}

/** Hashes secrets of accounts and compares them. Fault: unavailable, when too many wait. */
export interface CredentialHasher {
  hash(owner: CredentialOwner, secret: string): Promise<string>
  /**
   * Compares a secret with the hash that `readHash` gives when its turn has come. A try that is counted there is a try
   * that is looked at: who is turned away from a crowd has not used one up.
   */
  compare(
    owner: CredentialOwner,
    secret: string,
    readHash: () => Promise<string>,
  ): Promise<Comparison>
}

export interface Comparison {
  readonly isMatch: boolean
  /** What the secret was compared with. */
  readonly storedHash: string
}

/**
 * The hash of 256 random bits that were not kept. Compared with where there is no account, so that the refusal takes as
 * long as where there is one.
 */
export const decoyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$Pxj6EjsJd17WJPLTP4N1kg$DopeL+lAiKKbSFa8FRbcycIPUoB481oIq+o5ASU49Xc'

/** OWASP's floor for Argon2id, which is the library's default variant: some 13 ms and 19 MiB a try. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Hashing runs on the four threads that also open connections to the database, so it may have two of them; and a crowd
 * that waits longer than a second for its turn is better told at once.
 */
const turns = { runningMax: 2, waitingMax: 100 }

/**
 * Argon2id over an HMAC with a pepper. A PIN of four digits has 10,000 values, which no slow hash hides from a thief
 * who has the table; without the pepper, which is not in the database, he cannot even begin.
 */
export function openCredentialHasher(pepper: Buffer): CredentialHasher {
  const takeTurn = openTurns(turns)
  const peppered = ({ accountId, purpose }: CredentialOwner, secret: string) =>
    createHmac('sha256', pepper)
      // Keyboards write the same letter in several ways; NFKC makes them one.
      .update(`${accountId}:${purpose}:${secret.normalize('NFKC')}`)
      .digest('base64')
  return {
    hash: (owner, secret) => takeTurn(() => hash(peppered(owner, secret), cost)),
    compare: (owner, secret, readHash) =>
      takeTurn(async () => {
        const storedHash = await readHash()
        return { isMatch: await verify(storedHash, peppered(owner, secret)), storedHash }
      }),
  }
}
