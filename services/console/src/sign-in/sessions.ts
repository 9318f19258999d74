import { randomBytes } from 'node:crypto'
import type { Clock } from '@malipo/runtime/clock'
import { LRUCache } from 'lru-cache'

/** A browser that has signed in, at least at the identity provider. */
export interface Session {
  /** The person, as the identity provider names them. Absent where there is none. */
  readonly subject: string | undefined
  /** The operator whose key the browser has proven to have. Absent until it has. */
  readonly operatorId: string | undefined
}

/**
 * The sessions of this one process. They are kept nowhere else: a restart signs everybody out, and costs an operator one
 * click. A session lets its browser read; acts are signed by the operator's key, each of them.
 */
export interface Sessions {
  /** A new session, and its token. Whatever the browser had before is ended first. */
  open(session: Session, formerToken: string): string
  find(token: string): Session | undefined
  end(token: string): void
}

const sessionsMax = 1_000
export const sessionLifeSeconds = 8 * 3_600
const idleSeconds = 30 * 60

export function openSessions(clock: Clock): Sessions {
  const known = new LRUCache<string, Session & { openedAt: number; usedAt: number }>({
    max: sessionsMax,
  })
  return {
    open(session, formerToken) {
      known.delete(formerToken)
      const token = randomBytes(32).toString('base64url')
      known.set(token, { ...session, openedAt: clock.now(), usedAt: clock.now() })
      return token
    },
    find(token) {
      const session = known.get(token)
      if (session === undefined) return undefined
      const now = clock.now()
      const isOver =
        now - session.openedAt > sessionLifeSeconds * 1_000 ||
        now - session.usedAt > idleSeconds * 1_000
      if (isOver) {
        known.delete(token)
        return undefined
      }
      session.usedAt = now
      return { subject: session.subject, operatorId: session.operatorId }
    },
    end(token) {
      known.delete(token)
    },
  }
}
