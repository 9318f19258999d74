import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { constants, createSecureServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import {
  type KeyServiceServer,
  KeyServiceService,
  KeyServiceClient,
  type VerifyKeyResponse,
} from '@malipo/contracts/proto/keys/v1/key_service'
import { Fault, type Reason } from '@malipo/kernel/errors'
import { openSlots } from '@malipo/runtime/call-slots'
import { openTestClient } from '@malipo/runtime/calls.harness'
import { type Call, openCall, serveGrpc } from '@malipo/runtime/grpc'
import { openLog } from '@malipo/runtime/log'
import { openTlsIdentity } from '@malipo/runtime/tls-identity'
import { openImpatient } from '@malipo/runtime/waits.harness'
import { testIdentityDir } from '@malipo/testing/identities'
import { keyCallers } from './callers'

const own = testIdentityDir('keys')
const log = openLog('test', 'silent')
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A server whose VerifyKey is the given function, and a client that calls it. */
async function serve(verifyKey: () => Promise<VerifyKeyResponse>) {
  const refuse = () => Promise.reject(new Fault('internal'))
  const { port, stop } = await serveGrpc<KeyServiceServer>({
    definition: KeyServiceService,
    operations: { verifyKey, createKey: refuse, revokeKey: refuse, listKeys: refuse },
    callers: keyCallers,
    identity: openTlsIdentity(own, log),
    host: '127.0.0.1',
    port: 0,
    log,
  })
  closers.push(stop)
  const client = openTestClient(
    KeyServiceClient,
    { server: 'keys', address: `127.0.0.1:${String(port)}` },
    'gateway-ke',
  )
  closers.push(() => {
    client.close()
  })
  return (call: Call, deadlineMs: number) =>
    call<VerifyKeyResponse>(deadlineMs, (metadata, options, done) =>
      client.verifyKey({ keySha256: Buffer.alloc(32), country: 'ke' }, metadata, options, done),
    )
}

function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return {
    open: () => {
      open()
    },
    opened,
  }
}

/** The outcome of a call: `ok`, or the reason of its fault. */
const outcome = (answer: Promise<unknown>) =>
  answer.then(
    () => 'ok',
    (error: unknown) => (error instanceof Fault ? error.reason : 'thrown'),
  )

const tally = (outcomes: readonly string[]) =>
  Object.fromEntries(
    [...new Set(outcomes)].map((name) => [name, outcomes.filter((one) => one === name).length]),
  )

test('100 calls with a long deadline succeed beside 2,400 with a short one on the same connection', async () => {
  const held = gate()
  const verify = await serve(() => held.opened.then(() => ({ accountId: 'acc_1' })))
  const call = openCall('keys_unavailable', openSlots(4_000))
  const patient = Array.from({ length: 100 }, () => outcome(verify(call, 30_000)))
  const impatient = await openImpatient(() =>
    Promise.resolve(Array.from({ length: 2_400 }, () => outcome(verify(call, 2_000)))),
  )
  expect(tally(await Promise.all(impatient))).toEqual({ keys_unavailable: 2_400 })
  held.open()
  expect(tally(await Promise.all(patient))).toEqual({ ok: 100 })
})

test('a call without a free slot is refused at once, and a slot is free again after the answer to its call', async () => {
  const held = gate()
  const verify = await serve(() => held.opened.then(() => ({ accountId: 'acc_1' })))
  const call = openCall('keys_unavailable', openSlots(3))
  const first = Array.from({ length: 3 }, () => outcome(verify(call, 30_000)))
  expect(await outcome(verify(call, 30_000))).toBe('keys_unavailable')
  held.open()
  expect(tally(await Promise.all(first))).toEqual({ ok: 3 })
  expect(await outcome(verify(call, 30_000))).toBe('ok')
})

test('a server refuses calls above its bound at once, and answers those that it began', async () => {
  const held = gate()
  let begun = 0
  const verify = await serve(() => {
    begun += 1
    return held.opened.then(() => ({ accountId: 'acc_1' }))
  })
  const call = openCall('keys_unavailable', openSlots(4_000))
  const all = Array.from({ length: 1_100 }, () => outcome(verify(call, 30_000)))
  expect(tally(await Promise.all(all.slice(1_024)))).toEqual({ keys_unavailable: 76 })
  held.open()
  expect(tally(await Promise.all(all))).toEqual({ ok: 1_024, keys_unavailable: 76 })
  expect(begun).toBe(1_024)
})

describe('a failure without a status from the server', () => {
  /** An HTTP/2 server that ends each call with the given reset code. */
  async function serveRaw(end: (stream: ServerHttp2Stream) => void) {
    const read = (name: string) => readFileSync(join(own, name))
    const server = createSecureServer({ key: read('tls.key'), cert: read('tls.crt') })
    server.on('stream', (stream) => {
      stream.on('error', () => undefined)
      end(stream)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = `127.0.0.1:${String((server.address() as AddressInfo).port)}`
    const client = openTestClient(KeyServiceClient, { server: 'keys', address }, 'gateway-ke')
    closers.push(() => {
      client.close()
      server.close()
    })
    return (reason: Reason) =>
      outcome(
        openCall(reason)<VerifyKeyResponse>(5_000, (metadata, options, done) =>
          client.verifyKey({ keySha256: Buffer.alloc(32), country: 'ke' }, metadata, options, done),
        ),
      )
  }

  test.each<[Reason, number]>([
    ['ledger_unavailable', constants.NGHTTP2_INTERNAL_ERROR],
    ['keys_unavailable', constants.NGHTTP2_INTERNAL_ERROR],
    ['unavailable', constants.NGHTTP2_INTERNAL_ERROR],
    ['ledger_unavailable', constants.NGHTTP2_NO_ERROR],
    ['ledger_unavailable', constants.NGHTTP2_PROTOCOL_ERROR],
    ['ledger_unavailable', constants.NGHTTP2_ENHANCE_YOUR_CALM],
  ])('is %s when the connection caused it (reset code %i)', async (reason, code) => {
    const verify = await serveRaw((stream) => {
      stream.close(code)
    })
    expect(await verify(reason)).toBe(reason)
  })

  test('is internal when the server answers INTERNAL', async () => {
    const verify = await serveRaw((stream) => {
      stream.respond(
        { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '13' },
        { endStream: true },
      )
    })
    expect(await verify('ledger_unavailable')).toBe('internal')
  })

  test('is internal when the server reports the fault `internal` itself', async () => {
    const verify = await serve(() => Promise.reject(new Error('a fault')))
    expect(await outcome(verify(openCall('ledger_unavailable'), 5_000))).toBe('internal')
  })
})
