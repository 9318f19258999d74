import { Metadata } from '@grpc/grpc-js'

/** The work that a call is part of. It goes with the call as metadata. */
export interface CallContext {
  readonly requestId: string
  readonly traceparent: string
  /** The ids of what the work is about, as `intentId=pi_1&messageId=pm_1`. */
  readonly subject: string
}

export function metadataOf({ requestId, traceparent, subject }: CallContext): Metadata {
  const metadata = new Metadata()
  metadata.set('x-request-id', requestId)
  metadata.set('traceparent', traceparent)
  metadata.set('x-subject', subject)
  return metadata
}

export function contextOf(metadata: Metadata): CallContext {
  const text = (key: string) => metadata.get(key)[0]?.toString() ?? ''
  return {
    requestId: text('x-request-id'),
    traceparent: text('traceparent'),
    subject: text('x-subject'),
  }
}
