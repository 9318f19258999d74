import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { eventually } from '@malipo/testing/eventually'
import { serveHttp } from './http'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function serve() {
  const held: ServerResponse[] = []
  const server = await serveHttp({
    host: '127.0.0.1',
    port: 0,
    handler: ({ url }: IncomingMessage, response) => {
      if (url === '/held') held.push(response)
      else response.end('fine')
    },
  })
  closers.push(server.stop)
  return { server, held }
}

/** A keep-alive connection, and all that it has received. */
function open(port: number) {
  const received: string[] = []
  const socket: Socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => received.push(chunk.toString()))
  closers.push(() => socket.destroy())
  return {
    socket,
    received: () => received.join(''),
    ask: (path: string) =>
      socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`),
  }
}

function isRefused(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  closers.push(() => socket.destroy())
  return once(socket, 'connect').then(
    () => false,
    () => true,
  )
}

const answers = (text: string) => text.match(/HTTP\/1\.1 200/g)?.length ?? 0

test('a listener that drains answers the next request of a kept connection, and closes it with the answer', async () => {
  const { server } = await serve()
  const client = open(server.port)
  client.ask('/')
  await eventually('an answer', () => answers(client.received()) === 1)
  expect(client.received()).toContain('Connection: keep-alive')

  const drained = server.drain()
  await eventually('no new connection', () => isRefused(server.port))
  client.ask('/')
  await eventually('the end of the connection', () => client.socket.readableEnded)
  expect(answers(client.received())).toBe(2)
  expect(client.received()).toContain('Connection: close')
  await drained
})

test('a listener that drains closes a connection with the answer to the request under way', async () => {
  const { server, held } = await serve()
  const client = open(server.port)
  client.ask('/held')
  await eventually('a request under way', () => held.length === 1)
  const drained = server.drain()
  held[0]?.end('at last')
  await eventually('the end of the connection', () => client.socket.readableEnded)
  expect(client.received()).toMatch(/Connection: close[^]*at last$/)
  await drained
})

test('a listener that drains accepts no connection', async () => {
  const { server } = await serve()
  expect(await isRefused(server.port)).toBe(false)
  await server.drain()
  expect(await isRefused(server.port)).toBe(true)
})

test('a listener that stops after it drained ends the connections that sent nothing while it drained', async () => {
  const { server } = await serve()
  const client = open(server.port)
  client.ask('/')
  await eventually('an answer', () => answers(client.received()) === 1)
  await server.drain()
  await server.stop()
  await eventually('the end of the connection', () => client.socket.readableEnded)
})

test('a listener that stood still while it drained answers a request that arrived meanwhile, and then stops', async () => {
  const { server } = await serve()
  const client = open(server.port)
  client.ask('/')
  await eventually('an answer', () => answers(client.received()) === 1)
  const stopped = server.drain().then(() => server.stop())
  await eventually('no new connection', () => isRefused(server.port))
  client.ask('/')
  standStill(1_100)
  await stopped
  await eventually('the end of the connection', () => client.socket.readableEnded)
  expect(answers(client.received())).toBe(2)
})

/** Blocks the event loop, like a machine that gives this process no time. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test('a listener that drains answers the connections that waited to be accepted', async () => {
  const { server } = await serve()
  const clients = Array.from({ length: 50 }, () => open(server.port))
  for (const client of clients) client.ask('/')
  // The system connects all of them before this process accepts the first.
  await new Promise((resolve) => {
    process.nextTick(resolve)
  })
  const drained = server.drain()
  await eventually('the end of each', () =>
    clients.every(({ socket }) => socket.closed || socket.readableEnded),
  )
  expect(clients.map(({ received }) => answers(received()))).toEqual(clients.map(() => 1))
  await drained
})
