import { createHmac } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { openTurns } from './turns'

/** The purpose of a secret. A hash made for one account and purpose does not match for another. */
export interface CredentialOwner {
  readonly accountId: string
  readonly purpose: 'password' | 'pin' | 'password_code'
}

/** Hashes and compares secrets of accounts. Fault: unavailable, when too many calls wait. */
export interface CredentialHasher {
  hash(owner: CredentialOwner, secret: string): Promise<string>
  /**
   * Compares a secret with the hash that `readHash` returns when its turn comes. Counting a try inside `readHash`
   * ties it to a comparison: a call refused for load uses up no try.
   */
  compare(
    owner: CredentialOwner,
    secret: string,
    readHash: () => Promise<string>,
  ): Promise<Comparison>
  /** The digest of a random secret, whose 60 bits need the pepper and no slow hash. 32 bytes. */
  digest(owner: CredentialOwner, secret: string): Uint8Array<ArrayBuffer>
}

export interface Comparison {
  readonly isMatch: boolean
  /** The hash that the secret was compared with. */
  readonly storedHash: string
}

/**
 * The hash of 256 random bits that were not stored. Used for unknown accounts, so that the refusal takes as long as
 * for a known one.
 */
export const decoyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$Pxj6EjsJd17WJPLTP4N1kg$DopeL+lAiKKbSFa8FRbcycIPUoB481oIq+o5ASU49Xc'

/** OWASP's minimum for Argon2id, the library's default variant: some 13 ms and 19 MiB a try. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Hashing may use two of the four threads of libuv's pool, because opening connections to the database needs that pool
 * too. A call that would wait behind a hundred others, for about a second, is refused at once.
 */
const turns = { runningMax: 2, waitingMax: 100 }

/**
 * Argon2id over an HMAC with a pepper. A PIN of four digits has 10,000 values, which no slow hash protects from a thief
 * of the table. The pepper is not in the database, and without it the thief cannot try any value.
 */
export function openCredentialHasher(pepper: Buffer): CredentialHasher {
  const takeTurn = openTurns(turns)
  const keyed = ({ accountId, purpose }: CredentialOwner, secret: string) =>
    createHmac('sha256', pepper)
      // Keyboards encode the same letter in several ways; NFKC makes these encodings equal.
      .update(`${accountId}:${purpose}:${secret.normalize('NFKC')}`)
  const peppered = (owner: CredentialOwner, secret: string) => keyed(owner, secret).digest('base64')
  return {
    hash: (owner, secret) => takeTurn(() => hash(peppered(owner, secret), cost)),
    compare: (owner, secret, readHash) =>
      takeTurn(async () => {
        const storedHash = await readHash()
        return { isMatch: await verify(storedHash, peppered(owner, secret)), storedHash }
      }),
    digest: (owner, secret) => new Uint8Array(keyed(owner, secret).digest()),
  }
}
