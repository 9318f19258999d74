import {
  type handleUnaryCall,
  type Metadata,
  Server,
  type ServerUnaryCall,
  type ServiceDefinition,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import { HealthImplementation } from 'grpc-health-check'
import { CallServiceService } from '@malipo/contracts/proto/calls/v1/call_service'
import { Fault, type Reason } from '@malipo/kernel/errors'
import { messageBytesMax } from './call-batch'
import type { ClassOfMethod } from './call-classes'
import { openSlots, type Slots } from './call-slots'
import {
  type Caller,
  type Callers,
  openCallerCheck,
  openPermissions,
  readCaller,
  type ServerIdentity,
} from './caller-identity'
import { contextOf, metadataOf } from './call-context'
import { openCarrier } from './carried-calls'
import { faultFrom, isUnconnected, isUnseen } from './grpc-fault'
import type { Log } from './log'
import { notableEvents } from './metrics'
import { rememberAct } from './operator-calls'
import { openPerformer, type Perform } from './perform-call'
import { currentTrace, subjectForCall } from './telemetry'
import type { TlsIdentity } from './tls-identity'
import { deadlineMaxMs, graceMs, waitOf, whenLate } from './waits'

const channelOptions = {
  'grpc.max_receive_message_length': messageBytesMax,
  'grpc.max_send_message_length': messageBytesMax,
  // A peer that vanished without a FIN is noticed within 15 s even when no call is running.
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': waitOf(5_000),
  'grpc.keepalive_permit_without_calls': 1,
  // The default backs off to two minutes; a peer that restarts must be reconnected at once.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 250,
  // A name is looked up again as soon as a replica is gone; the default is once in half a minute.
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  // Clients share no connections, so a connection that ends breaks no call of another client.
  'grpc.use_local_subchannel_pool': 1,
  // Calls go to all replicas that the name stands for, in turn.
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
} as const

/**
 * A connection ends after twelve minutes, give or take a tenth: clients then resolve the name again, and a new replica
 * gets its share. Calls that still run on it are cut at the next keepalive, which an ending connection cannot send,
 * whatever the grace time. The longest call, an audit of at most ten minutes, begins on a new connection, so it is not
 * cut.
 */
const serverOptions = {
  ...channelOptions,
  'grpc.max_connection_age_ms': 1.2 * deadlineMaxMs,
  'grpc.max_connection_age_grace_ms': 30_000,
} as const

/** The default limit of calls in flight on one connection. */
const callsOfConnectionMax = 512

/** The operations of a service, one function for each method: a missing one does not compile. */
export type Operations<Service> = {
  readonly [
    Method in keyof Service as string extends Method ? never : Method
  ]: Service[Method] extends handleUnaryCall<infer Request, infer Response>
    ? (request: Request, caller: Caller) => Promise<Response>
    : never
}

/** The methods of a service, as its clients call them. */
export type Calls<Service> = {
  readonly [
    Method in keyof Service as string extends Method ? never : Method
  ]: Service[Method] extends handleUnaryCall<infer Request, infer Response>
    ? (request: Request) => Promise<Response>
    : never
}

export interface GrpcOptions<Service> {
  readonly definition: ServiceDefinition
  readonly operations: Operations<Service>
  /** The class of each method; without it all methods share one bound. */
  readonly classOfMethod?: ClassOfMethod
  readonly callers: Callers<Service>
  readonly identity: TlsIdentity
  readonly host: string
  readonly port: number
  readonly log: Log
}

/** Serves one service and gRPC health. Resolves when the port is bound. */
export async function serveGrpc<Service>(
  options: GrpcOptions<Service>,
): Promise<{ port: number; stop: () => Promise<void> }> {
  const { definition } = options
  const permissions = openPermissions(options)
  // The cast is safe: an operation is found by its method's name, and gets only that method's requests.
  const operations = options.operations as Readonly<Record<string, Perform>>
  const perform = openPerformer({ ...options, operations })
  const server = new Server({ ...serverOptions, interceptors: [openCallerCheck(permissions)] })
  const implementation = Object.fromEntries(
    Object.keys(operations).map((method) => [method, unary(method, definition, perform)]),
  )
  server.addService(definition, implementation)
  const { carry, drain } = openCarrier({ definition, permissions, perform })
  server.addService(CallServiceService, { carry })
  const health = new HealthImplementation({ '': 'SERVING' })
  health.addToServer(server)
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(
      `${options.host}:${String(options.port)}`,
      options.identity.server,
      (error, bound) => {
        if (error) reject(error)
        else resolve(bound)
      },
    )
  })
  const stop = async () => {
    health.setStatus('', 'NOT_SERVING')
    drain()
    await new Promise<void>((resolve) => {
      const force = setTimeout(() => {
        server.forceShutdown()
        resolve()
      }, 2_000)
      server.tryShutdown(() => {
        clearTimeout(force)
        resolve()
      })
    })
  }
  return { port, stop }
}

function unary(
  method: string,
  definition: ServiceDefinition,
  perform: ReturnType<typeof openPerformer>,
): handleUnaryCall<object, unknown> {
  const encode = definition[method]?.requestSerialize ?? (() => Buffer.alloc(0))
  return (call: ServerUnaryCall<object, unknown>, done) => {
    const { request, metadata } = call
    rememberAct(request, call, () => encode(request))
    const incoming = { method, request, caller: readCaller(metadata), isOverdue: false }
    perform({ ...incoming, ...contextOf(metadata) }, done)
  }
}

/** Channel options for a server, which must prove this identity by its certificate. */
export function clientOptionsTo(server: ServerIdentity) {
  return { ...channelOptions, 'grpc.ssl_target_name_override': server }
}

/** Sends a call; `deadline` is in epoch milliseconds. */
type Send<Response> = (
  metadata: Metadata,
  options: { readonly deadline: number },
  done: (error: ServiceError | null, response: Response) => void,
) => unknown

/** Calls one method: `call(1500, (metadata, options, done) => client.readIntent(request, metadata, options, done))`. */
export type Call = <Response>(deadlineMs: number, send: Send<Response>) => Promise<Response>

/**
 * Makes calls, and turns their errors into Faults. A reason in the trailing metadata becomes that Fault again. A
 * missing answer (unavailable, deadline, no slot) becomes `whenUnavailable`: only the caller knows which 503 that is.
 *
 * At the deadline the wait ends here, but the call is not cancelled: after some 1,000 cancelled calls in a burst the
 * server's HTTP/2 takes the client for an attacker and ends the connection, with all calls on it. The call keeps its
 * slot until its answer comes, or until five seconds after its deadline, so the slots count all calls under way.
 */
export function openCall(
  whenUnavailable: Reason,
  slots: Slots = openSlots(callsOfConnectionMax),
): Call {
  return (deadlineMs, send) =>
    new Promise((resolve, reject) => {
      const release = slots.take()
      if (release === undefined) {
        notableEvents.inc({ name: 'call_shed' })
        reject(new Fault(whenUnavailable, { shed: true }))
        return
      }
      const trace = currentTrace()
      const metadata = metadataOf({ ...trace, subject: subjectForCall() })
      const waitMs = waitOf(deadlineMs)
      const stopWaiting = whenLate(waitMs, () => {
        reject(new Fault(whenUnavailable, { grpcStatus: status.DEADLINE_EXCEEDED }))
      })
      // gRPC takes an absolute deadline. It only bounds a wait, so the clock of this process will do.
      const deadline = Date.now() + waitMs + graceMs
      const connectedByMs = performance.now() + connectMs
      const end = () => {
        stopWaiting()
        release()
      }
      const attempt = (repeats: number) => {
        // A client that was closed while the call waited for a connection throws instead of answering.
        try {
          send(metadata, { deadline }, (error, response) => {
            if (error && isUnseen(error) && repeats < repeatsMax) {
              attempt(repeats + 1)
              return
            }
            if (error && isUnconnected(error) && performance.now() < connectedByMs) {
              setTimeout(attempt, connectEveryMs, repeats)
              return
            }
            end()
            if (error) reject(faultFrom(error, whenUnavailable))
            else resolve(response)
          })
        } catch (error) {
          end()
          reject(new Fault(whenUnavailable, { closed: true }, error))
        }
      }
      attempt(0)
    })
}

/**
 * How often a call is sent again that a closing connection refused before it began: several connections of maximum age
 * may refuse it one after another.
 */
const repeatsMax = 4

/**
 * How long an unsent call waits for a connection. In a rolling restart the last replica may stop before a client has
 * reconnected to the replicas that are back, which takes it up to a quarter of a second.
 */
const connectMs = 500
const connectEveryMs = 25
