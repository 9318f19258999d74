import type { SimulatedTime } from './clock'
import { openRecent } from './recent'
import type { Session } from './session'

/** The access tokens that a provider has given out, and their clients. */
export interface Tokens<Holder> {
  issue(token: string, holder: Holder, lifeMs: number): void
  /** Undefined when it was never given out, or its life is over. */
  holderOf(token: string): Holder | undefined
}

interface Place {
  readonly session: Session
  readonly time: SimulatedTime
}

/**
 * Opens the tokens of one simulation after the other. Those of the home session are good in every session, by the
 * home's clock: a stack that knows of no session takes its tokens there, whosoever phone it then rings.
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
