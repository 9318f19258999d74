/** The result of one question, wherever it was asked. */
export interface Finding {
  readonly where: string
  readonly number: number
  readonly statement: string
  /** Undefined when there was no answer. */
  readonly rows: number | undefined
  readonly examples: readonly string[]
}
