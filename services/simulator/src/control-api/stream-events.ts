import type { Request, RequestHandler } from 'express'
import { z } from 'zod'
import type { SimEvent } from '../inspector/rules/event-log'
import type { SimulationHost } from '../sessions/simulation-host'
import { showEvent } from './show'

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
export function streamEvents(hostOf: (request: Request) => SimulationHost): RequestHandler {
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
