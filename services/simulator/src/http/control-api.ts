import express, {
  type ErrorRequestHandler,
  type RequestHandler,
  type Response,
  type Router,
} from 'express'
import type { Stage } from '../rails/stage'
import { refusal, type ControlAnswer, type ControlRoute } from './control-route'
import { controlRoutes } from './control-routes'
import { openApiDocument } from './openapi'
import { streamEvents } from './stream-events'

/** `/sim/v1`: how tests, load generators and the page drive the simulator. */
export function controlApi(stage: Stage): Router {
  const router = express.Router()
  router.use(refuseOtherSites, express.json({ limit: '64kb' }))
  router.get('/openapi.json', (_request, response) => {
    response.json(openApiDocument(controlRoutes))
  })
  router.get('/events/stream', streamEvents(stage))
  for (const route of controlRoutes)
    router[route.method](expressPath(route.path), serve(stage, route))
  router.use((_request, response) => {
    send(response, refusal(404, 'not_found'))
  })
  router.use(presentProblem)
  return router
}

function serve(stage: Stage, route: ControlRoute): RequestHandler {
  return async (request, response) => {
    send(response, await route.handle(stage, request))
  }
}

function send(response: Response, answer: ControlAnswer): void {
  response
    .status(answer.status)
    .set(answer.headers ?? {})
    .json(answer.body)
}

/** The simulator has no password, so a page of another site must not drive it through a tester's browser. */
const refuseOtherSites: RequestHandler = (request, response, next) => {
  if (request.get('sec-fetch-site') === 'cross-site') send(response, refusal(403, 'cross_site'))
  else next()
}

/** What reaches this is a body that is no JSON or too large: everything else answers for itself. */
const presentProblem: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (statusOf(error) >= 500) next(error)
  else
    send(
      response,
      refusal(400, 'invalid_request', [{ path: 'body', message: 'no JSON, or too much' }]),
    )
}

function statusOf(error: unknown): number {
  const status: unknown = error instanceof Error ? Reflect.get(error, 'status') : undefined
  return typeof status === 'number' ? status : 500
}

/** `/phones/{msisdn}` -> `/phones/:msisdn`. */
function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}
