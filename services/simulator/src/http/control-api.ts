import express, { type Request, type RequestHandler, type Router } from 'express'
import type { Sessions } from '../rails/sessions'
import type { Stage } from '../rails/stage'
import { refusal, type ControlRoute } from './control-route'
import { controlRoutes } from './control-routes'
import { openApiDocument } from './openapi'
import { sendAnswer } from './send-answer'
import { namedSession } from './session-middleware'
import { streamEvents } from './stream-events'

/** `/sim/v1`: how tests, load generators and the page drive the simulator. */
export function controlApi(sessions: Sessions): Router {
  const stageOf = (request: Request) => namedSession(request)?.stage ?? sessions.home
  const router = express.Router()
  router.use(refuseOtherSites, express.json({ limit: '64kb' }))
  router.get('/openapi.json', (_request, response) => {
    response.json(openApiDocument(controlRoutes))
  })
  router.get('/events/stream', streamEvents(stageOf))
  for (const route of controlRoutes)
    router[route.method](expressPath(route.path), serve(stageOf, route))
  return router
}

type StageOf = (request: Request) => Stage

function serve(stageOf: StageOf, route: ControlRoute): RequestHandler {
  return async (request, response) => {
    sendAnswer(response, await route.handle(stageOf(request), request))
  }
}

/** The simulator has no password, so a page of another site must not drive it through a tester's browser. */
const refuseOtherSites: RequestHandler = (request, response, next) => {
  if (request.get('sec-fetch-site') === 'cross-site')
    sendAnswer(response, refusal(403, 'cross_site'))
  else next()
}

/** `/phones/{msisdn}` -> `/phones/:msisdn`. */
function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}
