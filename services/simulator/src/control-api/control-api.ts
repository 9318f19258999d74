import express, { type Request, type RequestHandler, type Router } from 'express'
import type { Sessions } from '../sessions/sessions'
import type { SimulationHost } from '../sessions/simulation-host'
import { refusal } from './control-route'
import { controlRoutes } from './control-routes'
import { openApiDocument } from './openapi'
import { sendAnswer } from './send-answer'
import { namedSession } from '../wire/session-middleware'
import { z } from 'zod'
import type { SimEvent } from '../inspector/rules/event-log'
import { showEvent } from './show'

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
    router[route.method](expressPath(route.path), async (request, response) => {
      sendAnswer(response, await route.handle(hostOf(request), request))
    })
  return router
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

/** A reader this far behind is disconnected: its browser reconnects and asks for the rest. */
const backlogBytesMax = 1_000_000
/** The most missed events to send at once; a reader further behind reconnects for the rest. */
const catchUpMax = 1_000
const beatMs = 15_000

const sinceShape = z
  .string()
  .regex(/^\d{1,15}$/)
  .pipe(z.coerce.number())

/** `GET /events/stream`: server-sent events, from `Last-Event-ID` or `?since=` on, else from now on. */
function streamEvents(hostOf: (request: Request) => SimulationHost): RequestHandler {
  return (request, response) => {
    const host = hostOf(request)
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    response.write('retry: 1000\n\n')
    const write = (event: SimEvent) => {
      if (response.writableLength > backlogBytesMax) response.destroy()
      else response.write(`id: ${String(event.id)}\ndata: ${JSON.stringify(showEvent(event))}\n\n`)
    }
    const since = sinceShape.safeParse(request.get('last-event-id') ?? request.query['since'])
    if (since.success) {
      const missed = host.current().world.events.since(since.data, catchUpMax)
      missed.forEach(write)
      // More events were missed than fit, so the connection ends and the reader reconnects.
      if (missed.length === catchUpMax) {
        response.end()
        return
      }
    }
    const stopListening = host.listen(write)
    // Keeps proxies from closing a quiet stream, and detects closed connections.
    const beat = setInterval(() => response.write(': beat\n\n'), beatMs)
    response.once('close', () => {
      clearInterval(beat)
      stopListening()
    })
  }
}
