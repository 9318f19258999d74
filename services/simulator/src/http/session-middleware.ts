import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import { z } from 'zod'
import type { Sessions } from '../rails/sessions'
import type { SimulationHost } from '../rails/simulation-host'
import { refusal } from './control-route'
import { sendAnswer } from './send-answer'

const nameShape = z.string().regex(/^[\w.-]{1,64}$/)

/** Which session a request has named, if it named one, and what its addresses begin with. */
export interface Named {
  readonly host: SimulationHost
  /** `/s/name`, or nothing: what links of a page begin with. */
  readonly base: string
}

const named = new WeakMap<IncomingMessage, Named>()

/** Undefined when the request names none. */
export function namedSession(request: IncomingMessage): Named | undefined {
  return named.get(request)
}

/**
 * A request names its session by the header `X-Sim-Session`, or by a path that begins with `/s/{name}`: so that a
 * client which can set nothing but its base URL, and a browser, can live in a session too.
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
