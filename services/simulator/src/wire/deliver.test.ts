import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openReceiver } from '../start.harness'
import { openDelivery } from './deliver'

const delivery = openDelivery({ now: () => performance.now() })
afterAll(() => {
  delivery.stop()
})

async function serve(listener: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/cb` }
}

test('posts the body unchanged and returns the response', async () => {
  const receiver = await openReceiver(202)
  const delivered = await delivery.deliver(receiver.url, '{"Value":1.00}')
  expect(delivered).toMatchObject({ kind: 'answered', status: 202 })
  expect(receiver.received).toEqual(['{"Value":1.00}'])
  await receiver.stop()
})

test('sends the content type of JSON', async () => {
  const seen: (string | undefined)[] = []
  const { url, server } = await serve((request, response) => {
    seen.push(request.headers['content-type'])
    response.end()
  })
  await delivery.deliver(url, '{}')
  expect(seen).toEqual(['application/json'])
  server.close()
})

test('reports failure when no receiver listens', async () => {
  const delivered = await delivery.deliver('http://127.0.0.1:9/cb', '{}')
  expect(delivered).toMatchObject({ kind: 'failed', reason: 'ECONNREFUSED' })
})

test('reports failure when a receiver breaks the connection, even if it may have read the body', async () => {
  const { url, server } = await serve((request) => {
    request.socket.destroy()
  })
  expect(await delivery.deliver(url, '{}')).toMatchObject({ kind: 'failed', reason: 'ECONNRESET' })
  server.close()
})

test('reuses a connection', async () => {
  const ports = new Set<number | undefined>()
  const { url, server } = await serve((request, response) => {
    ports.add(request.socket.remotePort)
    response.end('ok')
  })
  await delivery.deliver(url, '{}')
  await delivery.deliver(url, '{}')
  expect(ports.size).toBe(1)
  server.closeAllConnections()
  server.close()
})

test('sends a callback by the HTTP method that the provider uses', async () => {
  const seen: (string | undefined)[] = []
  const { url, server } = await serve((request, response) => {
    seen.push(request.method)
    response.end()
  })
  await delivery.deliver(url, '{}', { method: 'PUT' })
  expect(seen).toEqual(['PUT'])
  server.close()
})

test('fails when the receiver does not answer within the timeout of the provider', async () => {
  const { url, server } = await serve(() => undefined)
  const delivered = await delivery.deliver(url, '{}', { timeoutMs: 50 })
  expect(delivered).toMatchObject({ kind: 'failed', reason: 'ABORT_ERR' })
  server.closeAllConnections()
  server.close()
})

test('fails when the receiver does not answer within the timeout after a slowly sent body', async () => {
  const { url, server } = await serve(() => undefined)
  const time = {
    now: () => 0,
    after(_ms: number, run: () => void) {
      run()
      return { cancel: () => undefined }
    },
  }
  const how = { timeoutMs: 50, drip: { ms: 60_000, time } }
  const delivered = await delivery.deliver(url, '{"Value":1.00}', how)
  expect(delivered).toMatchObject({ kind: 'failed', reason: 'ABORT_ERR' })
  server.closeAllConnections()
  server.close()
})
