import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'

/** How long clients get to use a kept connection once more, and so to read that it closes. */
const drainMs = 1_000

/** New clients must not keep a listener from closing. */
const turnsMax = 1_000

/**
 * A connection that is closed while its client sends the next request fails that request, and a POST is not sent again
 * by itself. So the server first stops accepting, and closes each connection with its next answer, which says so
 * (`Connection: close`). Returns how to do that; it resolves when no connection is left, or after a second.
 */
export function openDrain(server: Server): () => Promise<void> {
  const answering = new Map<Socket, ServerResponse>()
  let isDraining = false
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    if (isDraining) response.shouldKeepAlive = false
    // The last of several pipelined requests closes the connection.
    answering.set(socket, response)
    response.once('close', () => {
      if (answering.get(socket) === response) answering.delete(socket)
    })
  })
  let accepted = 0
  server.on('connection', () => (accepted += 1))
  // Node accepts one connection in each turn of the event loop, and those that still wait would be reset.
  const untilAccepted = async () => {
    let before: number
    let turns = 0
    do {
      before = accepted
      turns += 1
      await turn()
    } while (accepted > before && turns < turnsMax)
  }
  return async () => {
    isDraining = true
    for (const response of answering.values()) response.shouldKeepAlive = false
    await untilAccepted()
    const closed = new Promise((resolve) => {
      // Unlike `close` of an HTTP server it leaves idle connections open.
      NetServer.prototype.close.call(server, resolve)
    })
    await Promise.race([closed, wait(drainMs, undefined, { ref: false })])
  }
}
