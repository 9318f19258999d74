import {
  InterceptingCall,
  type Interceptor,
  type Listener,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import { randomUUID } from 'node:crypto'
import { Fault } from '@malipo/kernel/errors'
import { systemClock } from './clock'
import type { ActAudience, OperatorIdentity, SignedAct } from './operator-signature'

const operatorKey = 'malipo-operator'
const signedAtKey = 'malipo-operator-at'
const nonceKey = 'malipo-operator-nonce'
const signatureKey = 'malipo-operator-signature-bin'

/** A call with a missing or wrong signature. Its message has the reason; the caller sees UNAUTHENTICATED. */
export class NotSigned extends Error {}

/** Why a call was refused as not signed; undefined when it failed for another reason. */
export function whyNotSigned(error: unknown): string | undefined {
  if (!(error instanceof Fault) || error.facts['grpcStatus'] !== status.UNAUTHENTICATED) return
  return (error.cause as ServiceError).details
}

/** Signs every call of a client: `new LedgerServiceClient(address, credentials, { interceptors: [signCalls(…)] })`. */
export function signCalls(identity: OperatorIdentity, audience: ActAudience): Interceptor {
  return (options, nextCall) => {
    const { path, requestSerialize } = options.method_definition
    let start: (() => void) | undefined
    let metadata = new Metadata()
    return new InterceptingCall(nextCall(options), {
      // The signature covers the message, so the call starts only when its message is there.
      start(given: Metadata, listener: Listener, next) {
        metadata = given
        start = () => {
          next(metadata, listener)
        }
      },
      sendMessage(message: unknown, next) {
        writeAct(
          metadata,
          identity.sign(audience, {
            method: path,
            request: requestSerialize(message),
            signedAt: new Date(systemClock.now()).toISOString(),
            nonce: randomUUID(),
          }),
        )
        start?.()
        next(message)
      },
    })
  }
}

export function writeAct(metadata: Metadata, act: SignedAct): void {
  metadata.set(operatorKey, act.operatorId)
  metadata.set(signedAtKey, act.signedAt)
  metadata.set(nonceKey, act.nonce)
  metadata.set(signatureKey, act.signature)
}

const acts = new WeakMap<object, SignedAct>()

/** Keeps the signed act of a request, where the operation finds it with `actOf`. An unsigned request has none. */
export function rememberAct(
  request: object,
  call: { readonly metadata: Metadata; getPath(): string },
  serialize: () => Buffer,
): void {
  const text = (key: string) => call.metadata.get(key)[0]?.toString() ?? ''
  const [signature] = call.metadata.get(signatureKey)
  if (!Buffer.isBuffer(signature)) return
  acts.set(request, {
    method: call.getPath(),
    request: serialize(),
    operatorId: text(operatorKey),
    signedAt: text(signedAtKey),
    nonce: text(nonceKey),
    signature,
  })
}

/** The signed act of a request. Throws NotSigned for a request without a signature. */
export function actOf(request: object): SignedAct {
  const act = acts.get(request)
  if (act === undefined) throw new NotSigned('this needs the signature of an enrolled operator')
  return act
}
