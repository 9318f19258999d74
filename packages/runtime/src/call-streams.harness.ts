import {
  Client,
  type handleBidiStreamingCall,
  type handleUnaryCall,
  Server,
  type ServiceDefinition,
} from '@grpc/grpc-js'
import { createConnection, createServer, type Server as SocketServer, type Socket } from 'node:net'
import {
  CallServiceService,
  type CarryRequest,
  type CarryResponse,
} from '@malipo/contracts/proto/calls/v1/call_service'
import { Fault } from '@malipo/kernel/errors'
import { eventually } from '@malipo/testing/eventually'
import { testIdentityDir } from '@malipo/testing/identities'
import { methodOfBytes } from './calls.harness'
import type { Caller } from './caller-identity'
import { serveGrpc } from './grpc'
import { openGrpcClient } from './grpc-client'
import { openLog } from './log'
import { workForLog } from './telemetry'
import { openTlsIdentity } from './tls-identity'

const definition = {
  // The requests of this method cannot be encoded.
  broken: {
    ...methodOfBytes('/test.Service/Broken'),
    requestSerialize: () => {
      throw new TypeError('not a number')
    },
  },
  ask: methodOfBytes('/test.Service/Ask'),
  refuse: methodOfBytes('/test.Service/Refuse'),
  keep: methodOfBytes('/test.Service/Keep'),
} satisfies ServiceDefinition
type Service = Record<keyof typeof definition, handleUnaryCall<Buffer, Buffer>>

export const log = openLog('test', 'silent')
const identity = openTlsIdentity(testIdentityDir('keys'), log)
const callers = {
  broken: ['worker-ke'],
  ask: ['worker-ke'],
  refuse: ['worker-ke'],
  keep: ['worker-ke'],
} as const

export const closers: (() => unknown)[] = []
/** Spies on unary calls of gRPC: a call that a stream carries makes none. */
export const unaryCalls = jest.spyOn(Client.prototype, 'makeUnaryRequest')
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close()
}

/** A server whose method `keep` answers when the test calls the function in `kept`. */
export async function serve() {
  const kept: (() => void)[] = []
  const subjects: object[] = []
  const server = await serveGrpc<Service>({
    ...{ definition, callers, log, identity, host: '127.0.0.1', port: 0 },
    operations: {
      broken: () => Promise.resolve(Buffer.of()),
      ask: (request: Buffer, caller: Caller) => {
        subjects.push(workForLog())
        return Promise.resolve(Buffer.from(`${String(request)} of ${caller}`))
      },
      refuse: () => Promise.reject(new Fault('intent_not_found', { intentId: 'pi_1' })),
      keep: (request: Buffer) =>
        new Promise((resolve) => {
          kept.push(() => {
            resolve(request)
          })
        }),
    },
  })
  closers.push(server.stop)
  return { server, kept, subjects }
}

export function openClient(address: string, caller: Caller = 'worker-ke') {
  const client = openGrpcClient<Service>({
    ...{ server: 'keys', definition, address },
    ...{
      whenUnavailable: 'ledger_unavailable',
      identity: openTlsIdentity(testIdentityDir(caller), log),
    },
  })
  closers.push(client.close)
  return client
}

/** A client whose calls go by a stream from now on. */
export async function openCarriedClient(port: number) {
  const client = openClient(`127.0.0.1:${String(port)}`)
  const calls = client.within(10_000)
  await eventually('a stream is open', async () => {
    unaryCalls.mockClear()
    await calls.ask(Buffer.of())
    return unaryCalls.mock.calls.length === 0
  })
  return { client, calls }
}

/** A server of an earlier release: it answers with the request itself, and has no streams unless `carry` is given. */
export async function serveEarlier(
  carry?: handleBidiStreamingCall<CarryRequest, CarryResponse>,
): Promise<number> {
  const earlier = new Server()
  const ask: Service['ask'] = ({ request }, done) => {
    done(null, request)
  }
  earlier.addService(definition, { ask, refuse: ask, keep: ask, broken: ask })
  if (carry !== undefined) earlier.addService(CallServiceService, { carry })
  closers.push(() => {
    earlier.forceShutdown()
  })
  return new Promise((resolve, reject) => {
    earlier.bindAsync('127.0.0.1:0', identity.server, (error, bound) => {
      if (error) reject(error)
      else resolve(bound)
    })
  })
}

/** A proxy before a server. `hold` keeps back what clients send until the function that it returns is called. */
export async function openProxy(port: number) {
  const sockets: Socket[] = []
  const inward: Socket[] = []
  const proxy = createServer((socket) => {
    const onward = createConnection(port, '127.0.0.1')
    for (const end of [socket, onward]) sockets.push(end.on('error', () => undefined))
    inward.push(socket)
    socket.pipe(onward).pipe(socket)
  })
  return {
    sockets,
    port: await listen(proxy),
    hold() {
      for (const socket of inward) socket.pause()
      return () => {
        for (const socket of inward) socket.resume()
      }
    },
  }
}

export async function listen(server: SocketServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
