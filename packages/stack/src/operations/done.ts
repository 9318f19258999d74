/** The result of an act, in words, and whether it was done. */
export interface Done {
  readonly message: string
  readonly isDone: boolean
}

/** `PLACEMENT_OUTCOME_AMOUNT_DIFFERS` -> `amount differs`. */
export function wordsOf(outcome: string): string {
  return outcome
    .replace(/^.*_OUTCOME_/, '')
    .toLowerCase()
    .replaceAll('_', ' ')
}

/** `whenDone` matches the outcomes that count as success. `what` is the id of the act or row that was made. */
export function doneIf(outcome: string, whenDone: RegExp, what = ''): Done {
  return { message: `${wordsOf(outcome)} ${what}`.trim(), isDone: whenDone.test(outcome) }
}
