import type { SimulatedTime } from '../../clock/rules/clock'
import { openRecent } from '../../sessions/rules/recent'
import type { Session } from '../../sessions/rules/session'

/** The access tokens issued by a provider, and their clients. */
export interface Tokens<Holder> {
  issue(token: string, holder: Holder, lifeMs: number): void
  /** Undefined when it was never issued, or has expired. */
  holderOf(token: string): Holder | undefined
}

interface Place {
  readonly session: Session
  readonly time: SimulatedTime
}

/**
 * Opens the token store of each simulation. Tokens of the home session are valid in every session, by the home clock,
 * because a stack that names no session gets its tokens there, even for phones of other sessions.
 */
export function tokenOffice<Holder>(keepAtLeast: number): (place: Place) => Tokens<Holder> {
  let home: Tokens<Holder> | undefined
  return ({ session, time }) => {
    const given = openRecent<{ readonly holder: Holder; readonly endsAtMs: number }>(keepAtLeast)
    const tokens: Tokens<Holder> = {
      issue(token, holder, lifeMs) {
        given.set(token, { holder, endsAtMs: time.now() + lifeMs })
      },
      holderOf(token) {
        const found = given.get(token)
        if (found !== undefined) return time.now() < found.endsAtMs ? found.holder : undefined
        return session.isHome ? undefined : home?.holderOf(token)
      },
    }
    if (session.isHome) home = tokens
    return tokens
  }
}
