import { once } from 'node:events'
import { request as open } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { eventually } from '@malipo/testing/eventually'
import type { ConnectionLimits } from './bound-connections'
import { notableEvents } from './metrics'
import { openNetworks } from './networks'
import { servePublicHttp } from './public-http'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Tests connect from addresses of 127.0.0.0/8; 127.0.0.3 is the proxy. */
async function serve(limits: Partial<ConnectionLimits> = {}) {
  const handled: string[] = []
  const server = await servePublicHttp({
    handler: (request, response) => {
      handled.push(`${String(request.method)} ${String(request.url)}`)
      const answer = () => response.end('fine')
      if (request.url === '/later') setImmediate(answer)
      else if (request.url !== '/held') answer()
    },
    host: '127.0.0.1',
    port: 0,
    isEncrypted: true,
    connections: { max: 2_000, perAddressMax: 400, idleSeconds: 15, ...limits },
    proxies: openNetworks(['127.0.0.3']),
  })
  closers.push(server.stop)
  return { port: server.port, handled }
}

/** The bytes of the response, until the server closes. */
async function answerTo(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  return text(socket)
}

/** An idle connection that has had one answer. */
async function idleConnection(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined)
  closers.push(() => socket.destroy())
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'data')
  return socket
}

const isOpen = (socket: Socket) => !socket.closed && !socket.readableEnded
const countOpen = (sockets: readonly Socket[]) => sockets.filter(isOpen).length

function statusFrom(port: number, localAddress: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = open({ port, host: '127.0.0.1', localAddress, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', reject)
    request.end()
  })
}

test.each([
  ['two Host headers', 'Host: a\r\nHost: b\r\n', 'Host'],
  ['the same Host header twice', 'Host: a\r\nHost: a\r\n', 'Host'],
  ['no Host header', '', 'Host'],
  ['an empty Host header', 'Host:\r\n', 'Host'],
  ['two names in one Host header', 'Host: a, b\r\n', 'Host'],
  ['a path in the Host header', 'Host: a/b@c\r\n', 'Host'],
  [
    'two Transfer-Encoding headers',
    'Host: a\r\nTransfer-Encoding: xchunked\r\nTransfer-Encoding: chunked\r\n',
    'Transfer-Encoding',
  ],
  [
    'a Transfer-Encoding without a body that Node reads',
    'Host: a\r\nTransfer-Encoding: identity\r\n',
    'Transfer-Encoding',
  ],
  [
    'one Transfer-Encoding that is no coding',
    'Host: a\r\nTransfer-Encoding: xchunked\r\n',
    'Transfer-Encoding',
  ],
  [
    'a Transfer-Encoding that only ends in chunked',
    'Host: a\r\nTransfer-Encoding: xchunked, chunked\r\n',
    'Transfer-Encoding',
  ],
])(
  'answers %s with 400 1701, closes the connection, and handles no request that follows',
  async (_, headers, path) => {
    const { port, handled } = await serve()
    const body = headers.includes('Transfer') ? '0\r\n\r\n' : ''
    const answer = await answerTo(
      port,
      `POST /first HTTP/1.1\r\n${headers}\r\n${body}GET /second HTTP/1.1\r\nHost: a\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toMatch(/^Connection: close\r$/m)
    expect(answer).toMatch(/^X-Request-Id: \S+\r$/m)
    expect(answer).toContain('"code":1701')
    expect(answer).toContain(`"path":"${path}"`)
    expect(answer.match(/^HTTP\/1\.1 /gm)).toHaveLength(1)
    expect(handled).toEqual([])
  },
)

test.each(['http://h:99999/x', 'http://[/x', 'ftp://h/x', '*'])(
  'answers the target %s, which is neither a path nor an http URL, with 400 1701',
  async (target) => {
    const { port, handled } = await serve()
    const answer = await answerTo(port, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toMatch(/^X-Request-Id: \S+\r$/m)
    expect(answer).toContain('"code":1701')
    expect(handled).toEqual([])
  },
)

test.each([
  ['GET', 'http://h/a%20b?c=d', '/a%20b?c=d'],
  ['POST', 'HTTPS://h:1', '/'],
  ['GET', '//h:99999/x', '//h:99999/x'],
  ['OPTIONS', '*', '*'],
])('hands on %s %s as %s', async (method, target, handledTarget) => {
  const { port, handled } = await serve()
  const close = 'Connection: close\r\n\r\n'
  await answerTo(port, `${method} ${target} HTTP/1.1\r\nHost: a\r\n${close}`)
  expect(handled).toEqual([`${method} ${handledTarget}`])
})

test('answers 16 requests that were sent at once on one connection, refuses the next one, and closes the connection', async () => {
  const { port, handled } = await serve()
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
  const answer = answerTo(port, request('/later') + request('/').repeat(999))

  const statuses = (await answer).match(/HTTP\/1\.1 \d+/g)
  expect(statuses).toEqual([...Array<string>(16).fill('HTTP/1.1 200'), 'HTTP/1.1 400'])
  expect(await answer).toContain('"path":"connection"')
  expect(handled).toHaveLength(16)
})

test('sends Strict-Transport-Security on answers, on ambiguous requests, and on malformed ones', async () => {
  const { port } = await serve()
  const sts = /^Strict-Transport-Security: max-age=31536000; includeSubDomains\r$/m
  const close = 'Connection: close\r\n\r\n'
  expect(await answerTo(port, `GET / HTTP/1.1\r\nHost: a\r\n${close}`)).toMatch(sts)
  expect(await answerTo(port, `GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n${close}`)).toMatch(sts)
  expect(await answerTo(port, 'no HTTP\r\n\r\n')).toMatch(sts)
})

test('serves a new connection beside 2,000 idle ones of one address, from that address and from others', async () => {
  const { port } = await serve()
  const idle: Socket[] = []
  for (let count = 0; count < 2_000; count += 1) idle.push(await idleConnection(port, '127.0.0.9'))
  expect(await statusFrom(port, '127.0.0.1')).toBe(200)
  expect(await statusFrom(port, '127.0.0.9')).toBe(200)
  await eventually('no more than its share is open', () => countOpen(idle) <= 400)
})

test("refuses connections above an address's share when none of them is idle, and accepts other addresses", async () => {
  const { port } = await serve({ perAddressMax: 3 })
  for (let count = 0; count < 3; count += 1) {
    const socket = await idleConnection(port, '127.0.0.9')
    socket.write('GET /held HTTP/1.1\r\nHost: x\r\n\r\n')
  }
  await eventually('all are busy', async () => {
    const status = await statusFrom(port, '127.0.0.9').catch(() => 'refused')
    return status === 'refused'
  })
  expect(await statusFrom(port, '127.0.0.1')).toBe(200)
})

test('near the total maximum closes idle connections of the address that has the most', async () => {
  const { port } = await serve({ max: 20, perAddressMax: 15 })
  const small = [await idleConnection(port, '127.0.0.7'), await idleConnection(port, '127.0.0.7')]
  const large: Socket[] = []
  for (let count = 0; count < 15; count += 1) large.push(await idleConnection(port, '127.0.0.9'))
  for (let count = 0; count < 5; count += 1) small.push(await idleConnection(port, '127.0.0.7'))
  await eventually('the largest has given way', () => countOpen(large) <= 11)
  expect(countOpen(small)).toBe(7)
})

test("closes a connection after the idle timeout, except for a proxy's", async () => {
  const { port } = await serve({ idleSeconds: 0.5, perAddressMax: 1 })
  const ofProxy = [await idleConnection(port, '127.0.0.3'), await idleConnection(port, '127.0.0.3')]
  const idle = await idleConnection(port, '127.0.0.9')
  await eventually('the idle one is closed', () => !isOpen(idle))
  expect(countOpen(ofProxy)).toBe(2)
})

test('counts the connections of a proxy that are refused above the total maximum', async () => {
  const { port } = await serve({ max: 1 })
  const before = await countRefused()
  // They fill all places: the maximum of one, and the hundred that Node has for connections that are being closed.
  for (let count = 0; count < 101; count += 1) await idleConnection(port, '127.0.0.3')
  const next = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.3' })
  next.on('error', () => undefined)
  closers.push(() => next.destroy())
  await eventually('the next is counted', async () => (await countRefused()) === before + 1)
})

async function countRefused(): Promise<number> {
  const { values } = await notableEvents.get()
  return values.find(({ labels }) => labels.name === 'connection_refused')?.value ?? 0
}
