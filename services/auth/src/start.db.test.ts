import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { AccountServiceClient } from '@malipo/contracts/proto/accounts/v1/account_service'
import { openTestClient } from '@malipo/runtime/calls.harness'
import { openCall } from '@malipo/runtime/grpc'
import { eventually } from '@malipo/testing/eventually'
import { testIdentityDir } from '@malipo/testing/identities'
import { authOfFile, startAuth } from './start.harness'

const { auth, database } = authOfFile()

test('reports live and ready', async () => {
  expect(await (await fetch(`${auth.adminUrl}/livez`)).text()).toBe('live\n')
  expect(await (await fetch(`${auth.adminUrl}/readyz`)).text()).toBe('ready\n')
})

test('refuses a connection from a caller whose certificate another authority signed', async () => {
  const other = await startAuth(database, { tlsDir: testIdentityDir('auth', 'another') })
  await expect(other.rpc.getAccount({ accountId: 'acc_x' })).rejects.toMatchObject({
    reason: 'unavailable',
  })
  await other.stop()
})

test("refuses an operator's certificate alone for making accounts", async () => {
  const served = { server: 'auth', address: `127.0.0.1:${String(auth.grpcPort)}` } as const
  const operator = openTestClient(AccountServiceClient, served, 'operator')
  const call = openCall('unavailable')
  const account = {
    ...{ requestId: 'forged', username: 'forged', displayName: 'Forged', homeCountry: 'ke' },
    ...{ password: 'correct horse battery', bio: '', theme: '', socialLinks: [] },
  }
  await expect(
    call(20_000, (...args) => operator.createAccount(account, ...args)),
  ).rejects.toMatchObject({ facts: { grpcStatus: 7 } })
  operator.close()
  expect((await auth.rpc.resolveHandle({ handle: 'forged' })).resolved).toBeUndefined()
})

describe('the public host', () => {
  test('gives every answer its own request id', async () => {
    const ids = await Promise.all(
      ['/v1', '/v1/auth/public/profile/a', '/%ff'].map(async (path) => {
        const headers = { 'x-request-id': 'chosen-by-the-caller' }
        const response = await fetch(auth.url + path, { headers })
        return response.headers.get('x-request-id')
      }),
    )
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.each([
    ['GET', '/v1', 404, 1704],
    ['GET', '/v1/auth/public/profile', 404, 1704],
    ['GET', '/v1/auth/public/profile/', 404, 1704],
    ['GET', '/v1/auth/public/profile/a/', 404, 1704],
    ['GET', '/V1/auth/public/profile/a', 404, 1704],
    ['POST', '/v2/auth', 404, 1704],
    ['POST', '/v1/auth/public/profile/a', 400, 1701],
    ['DELETE', '/v1/auth/public/profile/a', 400, 1701],
    ['OPTIONS', '/v1/auth/public/profile/a', 400, 1701],
    ['GET', '/v1/auth/public/profile/%ff', 400, 1701],
  ])('answers %s %s with %i %i', async (method, path, status, code) => {
    const response = await fetch(auth.url + path, { method })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({
      ok: false,
      code,
      request_id: response.headers.get('x-request-id'),
    })
  })

  test.each([
    ['20 KB of headers', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_480)}\r\n\r\n`],
    ['what is no HTTP', 'HELLO\r\n\r\n'],
  ])('returns 400 1701 for %s', async (_, bytes) => {
    const socket = connect(auth.httpPort, '127.0.0.1')
    socket.write(bytes)
    const answer = await text(socket)
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n[^]*X-Request-Id: [^]*"code":1701/)
  })
})

test('starts, is not ready, and returns 503 1503 while its database is down', async () => {
  const alone = await startAuth(database, { databaseUrl: 'postgresql://unknown@127.0.0.1:1/auth' })
  const unavailable = { reason: 'unavailable' }
  await expect(alone.rpc.getAccount({ accountId: 'acc_x' })).rejects.toMatchObject(unavailable)
  await expect(alone.createAccount('alone')).rejects.toMatchObject(unavailable)
  const profile = await fetch(`${alone.url}/v1/auth/public/profile/a`)
  expect(await profile.json()).toMatchObject({ code: 1503 })
  expect([profile.status, profile.headers.get('retry-after')]).toEqual([503, '1'])
  const ready = await fetch(`${alone.adminUrl}/readyz`)
  expect([ready.status, await ready.text()]).toEqual([503, 'not ready: database\n'])
  await alone.stop()
})

test('a service that stops closes a kept connection with its next answer', async () => {
  const stopping = await startAuth(database)
  const socket = connect(stopping.httpPort, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
  const ask = () =>
    socket.write('GET /v1/auth/public/profile/unknown-name HTTP/1.1\r\nHost: a\r\n\r\n')
  ask()
  await eventually('an answer', () => received.includes('HTTP/1.1 404'))
  const drained = stopping.drain()
  received = ''
  ask()
  await eventually('the end of the connection', () => socket.readableEnded)
  expect(received).toContain('Connection: close')
  await drained
  await stopping.stop()
})
