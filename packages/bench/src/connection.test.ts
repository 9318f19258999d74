import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addressOf, bodyOf, Connection, requestOf, saysWhenToRetry, statusOf } from './connection'

let server: Server
let connection: Connection

async function serve(listener: RequestListener): Promise<void> {
  server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  connection = new Connection((server.address() as AddressInfo).port)
}

afterEach(async () => {
  connection.close()
  server.close()
  await once(server, 'close')
})

const ask = (path = '/') =>
  new Promise<Buffer | undefined>((resolve) => {
    connection.ask(requestOf({ method: 'GET', path, from: addressOf(7) }), resolve)
  })

test('reads answers with Content-Length and chunked answers over one connection', async () => {
  let connections = 0
  await serve(({ url, headers }, response) => {
    const body = JSON.stringify({ from: headers['x-forwarded-for'] })
    if (url === '/chunks') response.write(body)
    else response.setHeader('Content-Length', body.length)
    response.end(url === '/chunks' ? '' : body)
  })
  server.on('connection', () => (connections += 1))
  for (const path of ['/', '/chunks', '/']) {
    const answer = (await ask(path)) ?? Buffer.alloc(0)
    expect([statusOf(answer), JSON.parse(bodyOf(answer))]).toEqual([200, { from: '10.0.0.7' }])
  }
  expect(connections).toBe(1)
})

test('recognises a 503 with Retry-After', async () => {
  await serve((_request, response) => {
    response.writeHead(503, { 'Retry-After': '1', 'Content-Length': 0 }).end()
  })
  const answer = (await ask()) ?? Buffer.alloc(0)
  expect([statusOf(answer), saysWhenToRetry(answer)]).toEqual([503, true])
})

test('resolves to undefined when the connection ends, and sends the next request over a new one', async () => {
  await serve((request, response) => {
    if (request.url === '/ends') request.socket.destroy()
    else response.end()
  })
  expect(await ask('/ends')).toBeUndefined()
  expect(statusOf((await ask()) ?? Buffer.alloc(0))).toBe(200)
})
