/** A bug that is planted in the text of a file, and the tests that have to find it. */
export interface Mutant {
  /** What it breaks, as a sentence. */
  readonly name: string
  readonly file: string
  /** Where the text stands that is replaced. */
  readonly start: number
  readonly end: number
  readonly to: string
  /** Test files, or folders of them, tried one after the other until one fails. */
  readonly checks: readonly string[]
}

/** What is planted in a file of a `store/` folder: the text that stands there once, and what stands there instead. */
export interface Guard {
  /** What it breaks, as a sentence. */
  readonly breaks: string
  /** A path below `src/`. */
  readonly file: string
  readonly from: string
  readonly to: string
  /** Paths of tests below `src/`. */
  readonly checks: readonly string[]
}
