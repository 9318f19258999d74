import type { Cell } from '@malipo/kernel/cells'
import type { Country } from '@malipo/kernel/countries'

/** The parts of a key that are kept for its owner to recognise it; the key cannot be rebuilt from them. */
export interface Key {
  readonly keyId: string
  /** `mkp_test_` or `mkp_live_`. */
  readonly prefix: string
  readonly lastFour: string
  readonly createdAt: Date
  readonly lastUsedAt?: Date
  readonly revokedAt?: Date
}

export interface NewKey {
  readonly keyId: string
  readonly accountId: string
  readonly country: Country
  readonly cell: Cell
  /** HMAC-SHA-256 of the key's SHA-256 under the current pepper: 32 bytes. */
  readonly digest: Buffer
  readonly prefix: string
  readonly lastFour: string
}

export interface Use {
  readonly keyId: string
  /** The key's digest under the current pepper: a key stored under an older pepper is stored anew when it is used. */
  readonly digest: Buffer
}
