import { type Instant, later } from '../settlement/state'

/** All that the acceptance of a signed act depends on. */
export interface ActState {
  readonly now: Instant
  readonly signedAt: Instant
  /** An act with its nonce was kept before. */
  readonly isKept: boolean
}

/** `stale`: it was signed too long ago, or by a clock that is wrong. */
export type AcceptActOutcome = 'accepted' | 'stale' | 'repeated'

/** An act whose signature was verified is accepted once, close to the time at which it was signed. */
export function acceptAct(
  { now, signedAt, isKept }: ActState,
  lifeSeconds: number,
): AcceptActOutcome {
  if (later(signedAt, lifeSeconds) < now || later(now, lifeSeconds) < signedAt) return 'stale'
  return isKept ? 'repeated' : 'accepted'
}
