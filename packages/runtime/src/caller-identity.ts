import {
  type ServerInterceptingCallInterface,
  ServerInterceptingCall,
  type ServerInterceptor,
  type ServiceDefinition,
  status,
} from '@grpc/grpc-js'
import type { Country } from '@malipo/kernel/countries'
import type { Log } from './log'
import { rpcDuration } from './metrics'

/** Every process with internal connections. A certificate names one of them, as its only DNS name. */
export const identities = [
  'gateway-ke',
  'gateway-ug',
  'worker-ke',
  'worker-ug',
  'ledger-ke',
  'ledger-ug',
  'keys',
  'auth',
  'operator',
  'console',
] as const

export type Identity = (typeof identities)[number]

export type ServerIdentity = `ledger-${Country}` | 'keys' | 'auth'

export type Caller = Exclude<Identity, `ledger-${Country}` | 'keys'>

/** The permitted callers of each method of a service: a method without a row does not compile. */
export type Callers<Service> = {
  readonly [Method in keyof Service as string extends Method ? never : Method]: readonly Caller[]
}

/** The metadata key with the caller's identity, set by the interceptor. It overwrites the caller's own value. */
const callerKey = 'malipo-caller'

interface Metadata {
  get(key: string): readonly (string | Buffer)[]
}

export function readCaller(metadata: Metadata): Caller {
  return String(metadata.get(callerKey)[0]) as Caller
}

/** Which process may call which method, by path. Refusals are counted, and the first of each kind is logged. */
export interface Permissions {
  isAllowed(caller: Identity, path: string): boolean
  noteRefusal(caller: Identity | undefined, path: string, outcome: keyof typeof refusals): void
}

export function openPermissions<Service>(options: {
  readonly definition: ServiceDefinition
  readonly callers: Callers<Service>
  readonly log: Log
}): Permissions {
  const rows = Object.entries<readonly Identity[]>(options.callers)
  const allowed = new Map(rows.map(([method, row]) => [options.definition[method]?.path, row]))
  const reported = new Set<string>()
  return {
    isAllowed: (caller, path) => allowed.get(path)?.includes(caller) === true,
    noteRefusal(caller, path, outcome) {
      rpcDuration.startTimer({ method: path.slice(path.lastIndexOf('/') + 1) })({ outcome })
      const subject = `${String(caller)} ${path}`
      // Logs once for each caller and method, so that an attacker inside cannot fill the log.
      if (!reported.has(subject)) options.log.warn({ caller, path }, 'internal call denied')
      reported.add(subject)
    },
  }
}

/** Methods that every process may call. Streams are open to all, because each call that a stream carries is checked. */
const open = ['/grpc.health.v1.Health/', '/calls.v1.CallService/']

/**
 * Answers UNAUTHENTICATED to a connection whose certificate names no identity, and PERMISSION_DENIED to a method that
 * is not the caller's, before the request is parsed. Health checks are open to every identity.
 */
export function openCallerCheck(permissions: Permissions): ServerInterceptor {
  const identityOf = openIdentityCache()
  return ({ path }, call) => {
    const caller = identityOf(call)
    const isOpen = open.some((service) => path.startsWith(service))
    if (caller !== undefined && (isOpen || permissions.isAllowed(caller, path))) {
      return new ServerInterceptingCall(call, {
        start: (next) => {
          next({
            onReceiveMetadata: (metadata, forward) => {
              metadata.set(callerKey, caller)
              forward(metadata)
            },
          })
        },
      })
    }
    const outcome = caller === undefined ? 'unauthenticated' : 'denied'
    permissions.noteRefusal(caller, path, outcome)
    return refuse(call, outcome)
  }
}

export const refusals = {
  unauthenticated: {
    code: status.UNAUTHENTICATED,
    details: 'the certificate names no known caller',
  },
  denied: { code: status.PERMISSION_DENIED, details: 'not for this caller' },
} as const

/** Ends the call at its first frame; later frames are not read. */
function refuse(
  call: ServerInterceptingCallInterface,
  outcome: keyof typeof refusals,
): ServerInterceptingCall {
  return new ServerInterceptingCall(call, {
    start: (next) => {
      next({
        onReceiveMetadata: () => {
          call.sendStatus(refusals[outcome])
        },
      })
    },
  })
}

const identityByName = new Map<string | undefined, Identity>(
  identities.map((identity) => [`DNS:${identity}`, identity]),
)

/** The identity behind a call's connection. Reading a certificate takes 30 µs, so it is read once a connection. */
function openIdentityCache(): (call: ServerInterceptingCallInterface) => Identity | undefined {
  const known = new WeakMap<object, Identity>()
  return (call) => {
    const session = sessionOf(call)
    const found = session && known.get(session)
    if (found !== undefined) return found
    // The certificate is missing here unless our authority issued it.
    const { sslPeerCertificate } = call.getAuthContext()
    const identity = identityByName.get(sslPeerCertificate?.subjectaltname)
    if (session && identity !== undefined) known.set(session, identity)
    return identity
  }
}

/** The HTTP/2 session, a private field of grpc-js. Without it each call reads the certificate again. */
function sessionOf(call: ServerInterceptingCallInterface): object | undefined {
  const stream: unknown = Reflect.get(call, 'stream')
  const session: unknown =
    typeof stream === 'object' && stream !== null ? Reflect.get(stream, 'session') : undefined
  return typeof session === 'object' && session !== null ? session : undefined
}
