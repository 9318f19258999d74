/** What the console keeps between two requests. */
export type ConsoleRecordKind = 'session' | 'challenge' | 'login'

/**
 * The most records of a kind. Operators make far fewer, so only a flood of records that are not theirs crowds any out.
 */
export const recordsMax: Readonly<Record<ConsoleRecordKind, number>> = {
  session: 1_000,
  challenge: 5_000,
  login: 1_000,
}
