import type { Country } from '@malipo/kernel/countries'

/** What is left of a key after it was shown: enough for its owner to recognise it, nothing to rebuild it from. */
export interface Key {
  readonly keyId: string
  /** `mkp_test_` or `mkp_live_`. */
  readonly prefix: string
  readonly lastFour: string
  readonly createdAt: Date
  readonly lastUsedAt?: Date
  readonly revokedAt?: Date
}

/** A key about to be kept. */
export interface NewKey {
  readonly keyId: string
  readonly accountId: string
  readonly country: Country
  /** HMAC-SHA-256 of the key's SHA-256 under the current pepper: 32 bytes. */
  readonly digest: Buffer
  readonly prefix: string
  readonly lastFour: string
}

/** That a live key was presented. */
export interface Use {
  readonly keyId: string
  /** The key's digest under the current pepper: a key kept under an older one moves to it when it is used. */
  readonly digest: Buffer
}
