/** What the console keeps between two requests. */
export type ConsoleRecordKind = 'session' | 'challenge' | 'login'

/** How many there are of a kind: by far more than operators, so that what is crowded out was made by no operator. */
export const recordsMax: Readonly<Record<ConsoleRecordKind, number>> = {
  session: 1_000,
  challenge: 5_000,
  login: 1_000,
}
