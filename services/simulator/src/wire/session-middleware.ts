import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import { z } from 'zod'
import type { Sessions } from '../sessions/sessions'
import type { SimulationHost } from '../sessions/simulation-host'
import { refusal } from '../control-api/control-route'
import { sendAnswer } from '../control-api/send-answer'

const nameShape = z.string().regex(/^[\w.-]{1,64}$/)

/** The session named by a request, if any, and the prefix of its addresses. */
export interface Named {
  readonly host: SimulationHost
  /** `/s/name`, or empty: the prefix of links on a page. */
  readonly base: string
}

const named = new WeakMap<IncomingMessage, Named>()

export function namedSession(request: IncomingMessage): Named | undefined {
  return named.get(request)
}

/**
 * Reads the session from the header `X-Sim-Session`, or from a path that begins with `/s/{name}`, for browsers and
 * for clients that can only set a base URL.
 */
export function sessionMiddleware(sessions: Sessions): RequestHandler {
  return (request, response, next) => {
    const prefixed = /^\/s\/([^/?]+)(.*)$/.exec(request.url)
    const name = prefixed?.[1] ?? request.get('x-sim-session')
    if (name === undefined) {
      next()
      return
    }
    if (!nameShape.safeParse(name).success) {
      const message = 'up to 64 letters, digits, dots, dashes'
      sendAnswer(response, refusal(400, 'invalid_request', [{ path: 'session', message }]))
      return
    }
    const host = sessions.enter(name)
    if (host === undefined) {
      sendAnswer(response, refusal(409, 'sessions_full'))
      return
    }
    if (prefixed) request.url = rooted(prefixed[2] ?? '')
    named.set(request, { host, base: prefixed ? `/s/${name}` : '' })
    next()
  }
}

function rooted(rest: string): string {
  return rest.startsWith('/') ? rest : `/${rest}`
}
