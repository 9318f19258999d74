import type { Request, RequestHandler } from 'express'
import type { SimulationHost } from '../sessions/simulation-host'

/** The shortest interval of page updates: under load the events would be more than a browser can read. */
const restMs = 200
/** A page that leaves more than this unread is disconnected, and reconnects when it reads again. */
const backlogBytesMax = 16_384
/** Keeps proxies from closing a quiet stream, and detects closed connections. */
const beatMs = 15_000

/** Server-sent events without content: the page then fetches what changed. */
export function streamChanges(hostOf: (request: Request) => SimulationHost): RequestHandler {
  return (request, response) => {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    response.write('retry: 1000\n\n')
    let resting: NodeJS.Timeout | undefined
    const sendNow = () => {
      resting = undefined
      if (response.writableLength > backlogBytesMax) response.destroy()
      else response.write('data: changed\n\n')
    }
    const stopListening = hostOf(request).listen(() => {
      resting ??= setTimeout(sendNow, restMs)
    })
    const beat = setInterval(() => response.write(': beat\n\n'), beatMs)
    response.once('close', () => {
      clearTimeout(resting)
      clearInterval(beat)
      stopListening()
    })
  }
}
