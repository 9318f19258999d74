import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { openNetworks } from './networks'
import { type PublicHttpOptions, servePublicHttp } from './public-http'

let port: number
let stop: () => Promise<void>

beforeAll(async () => {
  const handler: PublicHttpOptions['handler'] = (request, response) => {
    const keys = request.rawHeaders.filter((name) => name === 'Idempotency-Key').length
    response.end(`keys: ${String(keys)}`)
  }
  const server = await servePublicHttp({
    handler,
    host: '127.0.0.1',
    port: 0,
    isEncrypted: false,
    connections: { max: 100, perAddressMax: 100, idleSeconds: 15 },
    proxies: openNetworks([]),
  })
  port = server.port
  stop = server.stop
})

afterAll(() => stop())

/** The response to these header lines on a new connection. */
async function answerTo(lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'))
  return text(socket)
}

test('refuses a request without a Host like any malformed one', async () => {
  const answer = await answerTo(['GET / HTTP/1.1'])
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer).toMatch(/^X-Request-Id: \S+\r$/m)
  expect(answer).toContain('"code":1701')
})

test('accepts a request of HTTP/1.0, which has no Host', async () => {
  expect(await answerTo(['GET / HTTP/1.0'])).toMatch(/^HTTP\/1\.1 200 /)
})

test('leaves an unknown Expect header to the handler', async () => {
  const answer = await answerTo(['GET / HTTP/1.1', 'Host: a', 'Expect: a-miracle'])
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
})

test('passes every header to the handler, however many there are', async () => {
  const many = Array<string>(2_100).fill('a:b')
  const twice = ['Idempotency-Key: one', ...many, 'Idempotency-Key: two']
  expect(await answerTo(['GET / HTTP/1.1', 'Host: a', ...twice])).toContain('keys: 2')
})

/** Blocks this process for longer than a client may take for its headers, as if it was stopped or got no processor. */
function stall(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 7_500)
}

test('after the process stood still, serves a request that arrived whole, refuses one that arrived half, and closes a connection without a request', async () => {
  const request = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
  const whole = connect(port, '127.0.0.1')
  const half = connect(port, '127.0.0.1')
  const silent = connect(port, '127.0.0.1')
  const answers = [text(whole), text(half), text(silent)]
  // After this answer the server has read the first half of both requests.
  for (const socket of [whole, half]) socket.write(request.slice(0, 20))
  await answerTo(['GET / HTTP/1.1', 'Host: a'])
  whole.write(request.slice(20))
  await new Promise(setImmediate)
  stall()
  expect((await Promise.all(answers)).map((answer) => answer.slice(0, 12))).toEqual([
    'HTTP/1.1 200',
    'HTTP/1.1 400',
    '',
  ])
})
