import {
  type ChannelCredentials,
  Client,
  type ClientOptions,
  credentials,
  type Interceptor,
  type ServiceDefinition,
} from '@grpc/grpc-js'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fault, type Reason } from '@malipo/kernel/errors'
import { testIdentityDir } from '@malipo/testing/identities'
import type { Caller, Callers, ServerIdentity } from './caller-identity'
import { type Calls, clientOptionsTo, openCall } from './grpc'
import { callMethod } from './grpc-client'
import { openLog } from './log'
import { identityFiles, openTlsIdentity } from './tls-identity'

/** A long timeout, because parallel rounds take long on a busy machine; no test measures time. */
const deadlineMs = 20_000

interface Served<Service> {
  readonly server: ServerIdentity
  readonly definition: ServiceDefinition
  readonly callers: Callers<Service>
  readonly address: string
  /** The reason of the Fault for a call that gets no answer. */
  readonly whenUnavailable: Reason
  /** The operator's key that signs the calls. */
  readonly interceptors?: readonly Interceptor[]
}

/** All methods of a server over the wire, each called by a permitted process. */
export function openCallsOf<Service>(served: Served<Service>): {
  readonly calls: Calls<Service>
  close(): void
} {
  const clients = new Map<Caller, Client>()
  const clientOf = (caller: Caller) => {
    const client = clients.get(caller) ?? openTestClient(Client, served, caller)
    clients.set(caller, client)
    return client
  }
  const call = openCall(served.whenUnavailable)
  const methods = Object.entries<readonly Caller[]>(served.callers).map(([method, callers]) => {
    const definition = served.definition[method]
    if (definition === undefined) throw new Error(`there is no method ${method}`)
    const askAs = (caller: Caller, request: unknown) =>
      callMethod(clientOf(caller), { call, method: definition, deadlineMs, request })
    return [
      method,
      (request: unknown) => firstThatMay(callers, (caller) => askAs(caller, request)),
    ] as const
  })
  return {
    // One entry for every method; the compiler cannot infer this from a list of entries.
    calls: Object.fromEntries(methods) as unknown as Calls<Service>,
    close() {
      for (const client of clients.values()) client.close()
    },
  }
}

/**
 * Calls a method as each permitted caller in turn until one is accepted. Some methods accept a request from one caller
 * only, and a refused call changes nothing.
 */
async function firstThatMay<Answer>(
  [caller, ...others]: readonly Caller[],
  ask: (caller: Caller) => Promise<Answer>,
): Promise<Answer> {
  if (caller === undefined) throw new Error('nothing may call this method')
  return ask(caller).catch((error: unknown) => {
    const refused = error instanceof Fault ? error.facts['field'] : undefined
    const isForAnother = refused === 'kind' || refused === 'country'
    if (isForAnother && others.length > 0) return firstThatMay(others, ask)
    throw error
  })
}

/** A client of a server, with the certificate of a caller. */
export function openTestClient<Kind extends Client>(
  Kind: new (address: string, credentials: ChannelCredentials, options: ClientOptions) => Kind,
  {
    server,
    address,
    interceptors = [],
  }: Pick<Served<unknown>, 'server' | 'address' | 'interceptors'>,
  caller: Caller,
): Kind {
  const { channel } = openTlsIdentity(testIdentityDir(caller), openLog('test', 'silent'))
  return new Kind(address, channel, { ...clientOptionsTo(server), interceptors: [...interceptors] })
}

/** Foreign clients: in clear text, and over TLS without a certificate. */
export function openAnonymousClients({
  server,
  address,
}: {
  readonly server: ServerIdentity
  readonly address: string
}): readonly Client[] {
  const ca = readFileSync(join(testIdentityDir('operator'), identityFiles.ca))
  return [credentials.createInsecure(), credentials.createSsl(ca)].map(
    (shown) => new Client(address, shown, clientOptionsTo(server)),
  )
}

const bytes = (value: Buffer) => value

/** The definition of a method whose request and response are plain bytes. */
export function methodOfBytes(path: string) {
  return {
    ...{ path, requestStream: false, responseStream: false },
    ...{ requestSerialize: bytes, requestDeserialize: bytes },
    ...{ responseSerialize: bytes, responseDeserialize: bytes },
  }
}
