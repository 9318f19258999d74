import { Client, type Interceptor, type ServiceDefinition } from '@grpc/grpc-js'
import type { Reason } from '@malipo/kernel/errors'
import type { Slots } from './call-slots'
import { type CallStreams, openCallStreams } from './call-streams'
import type { ServerIdentity } from './caller-identity'
import { systemClock } from './clock'
import { type Call, type Calls, clientOptionsTo, openCall } from './grpc'
import type { TlsIdentity } from './tls-identity'

export interface GrpcClientOptions {
  readonly server: ServerIdentity
  readonly definition: ServiceDefinition
  readonly address: string
  readonly identity: Pick<TlsIdentity, 'channel'>
  /** The reason of the Fault for a call that gets no answer. */
  readonly whenUnavailable: Reason
  readonly slots?: Slots | undefined
  /** An operator's key that signs the calls. */
  readonly interceptors?: readonly Interceptor[] | undefined
}

export interface GrpcClient<Service> {
  /** Every method of the server; each waits `deadlineMs` at most for its answer. The server decides who may call it. */
  readonly within: (deadlineMs: number) => Calls<Service>
  /** Sends a request that is encoded already. */
  readonly send: (path: string, request: Buffer, sent: Sent) => Promise<object>
  /** Resolves when the server can be reached; rejects after `waitMs`. */
  readonly ready: (waitMs: number) => Promise<void>
  readonly close: () => void
}

interface Sent {
  readonly deadlineMs: number
  readonly prepare: (metadata: Metadata) => void
}

type Metadata = Parameters<Parameters<Call>[1]>[0]

export function openGrpcClient<Service>(options: GrpcClientOptions): GrpcClient<Service> {
  const { definition, interceptors = [] } = options
  const client = new Client(options.address, options.identity.channel, {
    ...clientOptionsTo(options.server),
    interceptors: [...interceptors],
  })
  const call = openCall(options.whenUnavailable, options.slots)
  // An interceptor signs unary calls only, so a client with one uses no streams.
  const streams = interceptors.length === 0 ? openCallStreams(client) : undefined
  return {
    within: (deadlineMs) => {
      const methods = Object.entries(definition).map(([name, method]) => {
        const ask = (request: unknown) =>
          callMethod(client, { call, method, deadlineMs, request, streams })
        return [name, ask] as const
      })
      // One entry for every method; the compiler cannot infer this from a list of entries.
      return Object.fromEntries(methods) as unknown as Calls<Service>
    },
    send: (path, request, { deadlineMs, prepare }) => {
      const found = Object.values(definition).find((method) => method.path === path)
      if (found === undefined) throw new Error(`the server has no method ${path}`)
      const method = { ...found, requestSerialize: (bytes: unknown) => bytes as Buffer }
      return callMethod(client, { call, method, deadlineMs, request, prepare }) as Promise<object>
    },
    ready: (waitMs) =>
      new Promise((resolve, reject) => {
        client.waitForReady(systemClock.now() + waitMs, (error) => {
          if (error) reject(error)
          else resolve()
        })
      }),
    close: () => {
      streams?.close()
      client.close()
    },
  }
}

/** Calls one method of a server that a client is connected to. */
export async function callMethod(
  client: Client,
  called: {
    readonly call: Call
    readonly method: Pick<
      ServiceDefinition[string],
      'path' | 'requestSerialize' | 'responseDeserialize'
    >
    readonly deadlineMs: number
    readonly request: unknown
    readonly prepare?: (metadata: Metadata) => void
    /** The streams that carry the call; the call is unary without them, or when none of them takes it. */
    readonly streams?: CallStreams | undefined
  },
): Promise<unknown> {
  const { call, method, deadlineMs, request, prepare, streams } = called
  const { path, requestSerialize, responseDeserialize: deserialize } = method
  const carried = streams && { path, request: requestSerialize(request), deserialize }
  return call<unknown>(deadlineMs, (given, options, done) => {
    const isSent = carried && streams.send({ ...carried, metadata: given, ...options, done })
    if (isSent === true) return
    // `prepare` writes into the metadata, and a repeat of the call gets the same object, so it writes into a copy.
    const metadata = prepare === undefined ? given : given.clone()
    prepare?.(metadata)
    client.makeUnaryRequest<unknown, unknown>(
      path,
      requestSerialize,
      deserialize,
      request,
      metadata,
      options,
      // The type of gRPC allows a missing answer; `done` always gets an error or an answer.
      done as (error: unknown, response?: unknown) => void,
    )
  })
}
