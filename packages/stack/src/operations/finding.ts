/** The result of one check of the audit. */
export interface Finding {
  readonly where: string
  /** The number of the invariant; empty for a ledger that did not answer. */
  readonly number: number | ''
  readonly statement: string
  /** How many rows violate the invariant; undefined when there was no answer. */
  readonly rows: number | undefined
  readonly examples: readonly string[]
}

/** An invariant that this audit does not check, so that its silence is not taken for an answer. */
export interface Unasked extends Pick<Finding, 'where' | 'number' | 'statement'> {
  readonly why: string
}
