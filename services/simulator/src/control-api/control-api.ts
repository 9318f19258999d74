import express, { type Request, type RequestHandler, type Router } from 'express'
import type { Sessions } from '../sessions/sessions'
import type { SimulationHost } from '../sessions/simulation-host'
import { refusal, type ControlRoute } from './control-route'
import { controlRoutes } from './control-routes'
import { openApiDocument } from './openapi'
import { sendAnswer } from './send-answer'
import { namedSession } from '../wire/session-middleware'
import { streamEvents } from './stream-events'

/** `/sim/v1`: the control API for tests, load generators and the page. */
export function controlApi(sessions: Sessions): Router {
  const hostOf = (request: Request) => namedSession(request)?.host ?? sessions.home
  const router = express.Router()
  router.use(refuseOtherSites, express.json({ limit: '64kb' }))
  router.get('/openapi.json', (_request, response) => {
    response.json(openApiDocument(controlRoutes))
  })
  router.get('/events/stream', streamEvents(hostOf))
  for (const route of controlRoutes)
    router[route.method](expressPath(route.path), serve(hostOf, route))
  return router
}

type HostOf = (request: Request) => SimulationHost

function serve(hostOf: HostOf, route: ControlRoute): RequestHandler {
  return async (request, response) => {
    sendAnswer(response, await route.handle(hostOf(request), request))
  }
}

/** The simulator has no password, so pages of other sites must not call it through a tester's browser. */
const refuseOtherSites: RequestHandler = (request, response, next) => {
  if (request.get('sec-fetch-site') === 'cross-site')
    sendAnswer(response, refusal(403, 'cross_site'))
  else next()
}

/** `/phones/{msisdn}` -> `/phones/:msisdn`. */
function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}
