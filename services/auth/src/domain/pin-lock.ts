/**
 * A PIN has few values, so what protects it is how many may be tried: five in a row, then a lock, then five more and a
 * longer lock. A caller without it gets 15 tries in all; then support has to check who they are.
 */
export const pinTriesMax = 5

/** How long the first locks last, in seconds; the lock after them ends only by support. */
export const pinLockSeconds = [900, 3_600] as const

/** That the owner of an account entered the right PIN: only the comparison with the stored hash makes one. */
export interface ProvenPin {
  readonly accountId: string
  readonly storedHash: string
  /** By the clock of the database. */
  readonly provenAt: Date
}
