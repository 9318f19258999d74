import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { exchange } from './exchange'

const servers: { close: (done: () => void) => unknown }[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) {
    await new Promise<void>((resolve) => server.close(resolve))
  }
})

const ask = (url: string, timeoutMs = 2_000) =>
  exchange({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
    timeoutMs,
    bodyBytesMax: 1_000,
  })

test('returns status, headers and bytes unchanged', async () => {
  const url = await serve((_, response) => response.writeHead(503, { 'x-a': 'b' }).end('<html>'))
  const answer = await ask(url)
  expect(answer).toMatchObject({ kind: 'answered', status: 503, body: Buffer.from('<html>') })
  expect(answer.kind === 'answered' && answer.headers.get('x-a')).toBe('b')
})

test('sends the body and the headers that it was given', async () => {
  const url = await serve((request, response) => {
    request.pipe(response)
  })
  expect(await ask(url)).toMatchObject({ body: Buffer.from('{"a":1}') })
})

test('reports a request to a closed port as not sent', async () => {
  const url = await serve(() => undefined)
  await new Promise<void>((resolve) => servers.pop()?.close(resolve))
  expect(await ask(url)).toEqual({ kind: 'not_sent', detail: 'ECONNREFUSED' })
})

test('reports a request to a name that does not resolve as not sent', async () => {
  expect((await ask('http://nowhere.invalid/')).kind).toBe('not_sent')
})

test('reports a connection that is reset after the request as lost', async () => {
  const url = await serveTcp((socket) => socket.once('data', () => socket.resetAndDestroy()))
  expect((await ask(url)).kind).toBe('lost')
})

test('reports a connection that is closed without an answer as lost', async () => {
  const url = await serveTcp((socket) => socket.once('data', () => socket.end()))
  expect((await ask(url)).kind).toBe('lost')
})

test('reports an answer that breaks off in the middle as lost', async () => {
  const url = await serveTcp((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"Check')),
  )
  expect((await ask(url)).kind).toBe('lost')
})

test('gives up on an answer that does not come in time', async () => {
  const url = await serve(() => undefined)
  const outcome = await ask(url, 50)
  expect(outcome.kind === 'lost' && outcome.detail).toMatch('TimeoutError')
})

test('gives up on an answer that begins and does not end', async () => {
  const url = await serve((_, response) => response.write('{'))
  expect((await ask(url, 100)).kind).toBe('lost')
})

test('gives up on an answer that begins and does not end, although memory is collected meanwhile', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const url = await serve((_, response) => response.write('{'))
  const answer = ask(url, 1_000)
  // The headers arrive within some of these turns, and a weakly held object is collected only after its own turn.
  for (let turns = 0; turns < 20; turns += 1) {
    await new Promise((done) => setImmediate(done))
    collect()
  }
  const ended = await Promise.race([answer, once(AbortSignal.timeout(5_000), 'abort')])
  expect(ended).toMatchObject({
    kind: 'lost',
    detail: expect.stringMatching('TimeoutError') as string,
  })
})

test('stops reading at the given maximum', async () => {
  const url = await serve((_, response) => response.end('x'.repeat(1_001)))
  expect(await ask(url)).toEqual({ kind: 'lost', detail: 'answer too large' })
})

test.each([401, 403, 429])(
  'keeps the status %d of an answer that is too long to be read',
  async (status) => {
    const url = await serve((_, response) => response.writeHead(status).end('x'.repeat(1_001)))
    expect(await ask(url)).toMatchObject({ kind: 'answered', status, body: Buffer.of() })
  },
)

test('follows no redirect, which would repeat the request', async () => {
  let requestCount = 0
  const url = await serve((_, response) => {
    requestCount += 1
    response.writeHead(307, { location: '/again' }).end()
  })
  expect((await ask(url)).kind).toBe('lost')
  expect(requestCount).toBe(1)
})

async function serve(handler: RequestListener): Promise<string> {
  const server = createServer(handler)
  const closing = {
    close: (done: () => void) => {
      server.closeAllConnections()
      return server.close(done)
    },
  }
  return listen(server, closing)
}

async function serveTcp(onConnection: (socket: Socket) => unknown): Promise<string> {
  const server = createTcpServer(onConnection)
  return listen(server, { close: (done) => server.close(done) })
}

async function listen(server: TcpServer, closing: (typeof servers)[number]): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(closing)
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`
}
