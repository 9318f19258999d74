/** Proof that the right password was entered. Its holder acts only while the account still has this password hash. */
export interface ProvenPassword {
  readonly accountId: string
  /** The hash that the password was compared with. */
  readonly passwordHash: string
}
