/** The result of one check of the audit. */
export interface Finding {
  readonly where: string
  /** Of the invariant; empty for a ledger that gave no answer at all. */
  readonly number: number | ''
  readonly statement: string
  /** Undefined when there was no answer. */
  readonly rows: number | undefined
  readonly examples: readonly string[]
}
