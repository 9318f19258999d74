/**
 * A PIN has few values, so the number of tries protects it: five in a row, then a lock, then five more and a longer
 * lock. A caller gets 15 wrong tries in all; then support has to check the owner's identity.
 */
export const pinTriesMax = 5

/**
 * The lengths of the first and the second lock in seconds. The third has no end: two operators remove the PIN
 * (`forgetPin`).
 */
export const pinLockSeconds = [900, 3_600] as const

/** The proof that an owner entered the right PIN: only the comparison with the stored hash creates one. */
export interface ProvenPin {
  readonly accountId: string
  readonly storedHash: string
  /** By the database's clock. */
  readonly provenAt: Date
}
