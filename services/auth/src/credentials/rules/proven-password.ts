/** The right password was entered. What follows from it is done only while the account still has this hash. */
export interface ProvenPassword {
  readonly accountId: string
  /** The hash that it was compared with. */
  readonly passwordHash: string
}
