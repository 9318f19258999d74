import { placeOf, type RecordPlace, type Records } from './records'

/** A browser that has signed in, at least at the identity provider. */
export interface Session {
  /** The person, as the identity provider names them. Undefined where no identity provider is set. */
  readonly subject: string | undefined
  /** The operator whose key the browser has proven to have. Undefined until then. */
  readonly operatorId: string | undefined
}

/**
 * The person who signed in at the identity provider, until a key signs in. Each sign-in there serves one key: if a
 * session took over the person of the session before it, it could be renewed for ever.
 */
export function newPersonOf(session: Session | undefined): string | undefined {
  return session?.operatorId === undefined ? session?.subject : undefined
}

/** A session lets its browser read only: each act is signed by the operator's key. */
export interface Sessions {
  /** Opens a session and returns its token. The session that the browser had before is ended. */
  open(session: Session, former: RecordPlace | undefined): Promise<string>
  find(token: string): Promise<Session | undefined>
  /** Ends a session. Fault: ledger_unavailable, after which the session goes on. */
  end(token: string): Promise<void>
}

export const sessionLifeSeconds = 8 * 3_600
const lasting = { idleSeconds: 30 * 60, lifeSeconds: sessionLifeSeconds }

export function openSessions(records: Records): Sessions {
  return {
    async end(token) {
      await records.take('session', placeOf(token))
    },
    async open(session, former) {
      const token = await records.keep('session', session, lasting)
      // The former session is left to run out when its ledger is unreachable; the browser no longer has its token.
      await records.take('session', former).catch(() => undefined)
      return token
    },
    // The cast is safe, because only this file writes records of sessions.
    find: async (token) => (await records.find('session', token)) as Session | undefined,
  }
}
