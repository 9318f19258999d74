import {
  Client,
  type handleUnaryCall,
  Metadata,
  type ServiceDefinition,
  status,
} from '@grpc/grpc-js'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testIdentityDir } from '@malipo/testing/identities'
import { systemClock } from './clock'
import { openAnonymousClients, methodOfBytes } from './calls.harness'
import type { Caller } from './caller-identity'
import { clientOptionsTo, serveGrpc } from './grpc'
import { openLog } from './log'
import { identityFiles, openTlsIdentity } from './tls-identity'

const bytes = (value: Buffer) => value
const definition = {
  pay: methodOfBytes('/test.Service/Pay'),
  read: methodOfBytes('/test.Service/Read'),
} satisfies ServiceDefinition
type Method = keyof typeof definition
type Service = Record<Method, handleUnaryCall<Buffer, Buffer>>

const log = openLog('test', 'silent')
const handled: string[] = []
const handle = (_request: Buffer, caller: Caller) => {
  handled.push(caller)
  return Promise.resolve(Buffer.from(caller))
}
const clients: Client[] = []
let server: { port: number; stop: () => Promise<void> }
let address: string

beforeAll(async () => {
  server = await serve(testIdentityDir('keys'))
  address = `127.0.0.1:${String(server.port)}`
})

beforeEach(() => {
  handled.length = 0
})

afterAll(async () => {
  for (const client of clients) client.close()
  await server.stop()
})

function serve(dir: string) {
  return serveGrpc<Service>({
    definition,
    operations: { pay: handle, read: handle },
    callers: { pay: ['worker-ke'], read: ['worker-ke', 'gateway-ke'] },
    identity: openTlsIdentity(dir, log),
    host: '127.0.0.1',
    port: 0,
    log,
  })
}

/** Writes the certificate of the keys service, from this authority, into a folder. */
function installIdentity(dir: string, authority: string): void {
  for (const name of Object.values(identityFiles)) {
    copyFileSync(join(testIdentityDir('keys', authority), name), join(dir, name))
  }
}

function clientFrom(folder: string, expected: 'keys' | 'auth' = 'keys', at = address): Client {
  const { channel } = openTlsIdentity(folder, log)
  const client = new Client(at, channel, clientOptionsTo(expected))
  clients.push(client)
  return client
}

/** The outcome of a call: the answer, or the name of its status. */
function outcomeOf(client: Client, path: string, metadata = new Metadata()): Promise<string> {
  const options = { deadline: systemClock.now() + 5_000 }
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      path,
      bytes,
      bytes,
      Buffer.alloc(0),
      metadata,
      options,
      (error, answer) => {
        resolve(error ? status[error.code] : String(answer))
      },
    )
  })
}

const pay = definition.pay.path
const read = definition.read.path

test("passes the caller's identity, from its certificate, to the operation", async () => {
  expect(await outcomeOf(clientFrom(testIdentityDir('worker-ke')), pay)).toBe('worker-ke')
  expect(await outcomeOf(clientFrom(testIdentityDir('gateway-ke')), read)).toBe('gateway-ke')
})

test('denies a method that the caller may not call, before the operation runs', async () => {
  expect(await outcomeOf(clientFrom(testIdentityDir('gateway-ke')), pay)).toBe('PERMISSION_DENIED')
  expect(await outcomeOf(clientFrom(testIdentityDir('worker-ug')), pay)).toBe('PERMISSION_DENIED')
  expect(handled).toEqual([])
})

test("ignores an identity in the caller's own metadata", async () => {
  const metadata = new Metadata()
  metadata.set('malipo-caller', 'worker-ke')
  const gateway = clientFrom(testIdentityDir('gateway-ke'))
  expect(await outcomeOf(gateway, pay, metadata)).toBe('PERMISSION_DENIED')
  expect(await outcomeOf(gateway, read, metadata)).toBe('gateway-ke')
})

test('refuses a connection without a certificate, or with one of another authority', async () => {
  const anonymous = [
    ...openAnonymousClients({ server: 'keys', address }),
    clientFrom(testIdentityDir('worker-ke', 'another')),
  ]
  clients.push(...anonymous)
  const outcomes = await Promise.all(anonymous.map((client) => outcomeOf(client, pay)))
  expect(outcomes).toEqual(['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE'])
})

test('does not connect to a server with another identity', async () => {
  const mistaken = clientFrom(testIdentityDir('worker-ke'), 'auth')
  expect(await outcomeOf(mistaken, pay)).toBe('UNAVAILABLE')
})

test('answers health checks to every process', async () => {
  const health = '/grpc.health.v1.Health/Check'
  const answer = await outcomeOf(clientFrom(testIdentityDir('auth')), health)
  // The encoded status SERVING.
  expect(Buffer.from(answer)).toEqual(Buffer.from([8, 1]))
})

describe('renewed certificates', () => {
  // Fakes only the reload interval: sockets need the real clock.
  beforeAll(() => {
    jest.useFakeTimers({
      doNotFake: [
        'Date',
        'hrtime',
        'nextTick',
        'performance',
        'setImmediate',
        'setTimeout',
        'clearTimeout',
        'clearImmediate',
        'queueMicrotask',
      ],
    })
  })
  afterAll(() => {
    jest.useRealTimers()
  })

  test('are used without a restart, but not while only one file of the pair is new', async () => {
    const own = mkdtempSync(join(tmpdir(), 'malipo-renewed-'))
    installIdentity(own, 'ours')
    const renewing = await serve(own)
    const at = `127.0.0.1:${String(renewing.port)}`
    // A new client each time, because an open connection keeps its first certificate.
    const askAs = (authority: string) =>
      outcomeOf(clientFrom(testIdentityDir('worker-ke', authority), 'keys', at), pay)

    copyFileSync(join(testIdentityDir('keys', 'next'), 'tls.crt'), join(own, 'tls.crt'))
    jest.advanceTimersByTime(60_000)
    expect(await askAs('ours')).toBe('worker-ke')

    installIdentity(own, 'next')
    jest.advanceTimersByTime(60_000)
    expect(await askAs('next')).toBe('worker-ke')
    expect(await askAs('ours')).toBe('UNAVAILABLE')
    await renewing.stop()
    rmSync(own, { recursive: true })
  })
})
