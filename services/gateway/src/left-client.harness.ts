import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Runs an operation for a request whose client has already disconnected, and returns the outcome. */
export async function afterClientLeft<Outcome>(
  operation: (request: IncomingMessage, response: ServerResponse) => Promise<Outcome>,
): Promise<Outcome> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const outcome = new Promise<Outcome>((resolve, reject) => {
    server.once('request', (request, response) => {
      // One event-loop turn later the response knows that it is closed.
      response.once('close', () =>
        setImmediate(() => {
          operation(request, response).then(resolve, reject)
        }),
      )
      call.destroy()
    })
  })
  const call = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  call.on('error', () => undefined)
  return outcome.finally(() => server.close())
}
