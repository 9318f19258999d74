import { Metadata, type ServiceError, status } from '@grpc/grpc-js'
import type { CallFailure } from '@malipo/contracts/proto/calls/v1/call_service'
import { errors, type Facts, Fault, isReason, type Reason } from '@malipo/kernel/errors'

const reasonKey = 'malipo-reason'
const factsKey = 'malipo-facts-bin'

/** A Fault on its way to another process: its reason and facts in the trailing metadata. */
export function statusFrom(fault: Fault): Partial<ServiceError> {
  const metadata = new Metadata()
  metadata.set(reasonKey, fault.reason)
  metadata.set(factsKey, Buffer.from(JSON.stringify(fault.facts)))
  return { code: status[errors[fault.reason].grpc], details: fault.reason, metadata }
}

/** The status of a call that a stream carries. */
export function failureFrom(error: Partial<ServiceError>): CallFailure {
  const { code = status.UNKNOWN, details = '', metadata } = error
  const facts = metadata?.get(factsKey)[0]
  return {
    code,
    details,
    reason: metadata?.get(reasonKey)[0]?.toString() ?? '',
    facts: Buffer.isBuffer(facts) ? facts : Buffer.alloc(0),
  }
}

/** The error of a carried call's status, in the form that gRPC gives to the error of a unary call. */
export function errorFrom({ code, details, reason, facts }: CallFailure): ServiceError {
  const metadata = new Metadata()
  if (reason !== '') metadata.set(reasonKey, reason)
  if (facts.length > 0) metadata.set(factsKey, facts)
  const known = isStatus(code) ? code : status.UNKNOWN
  return Object.assign(new Error(details), { code: known, details, metadata })
}

function isStatus(code: number): code is status {
  return code in status
}

/** The Fault of an error. A missing answer becomes `whenUnavailable`. */
export function faultFrom(error: ServiceError, whenUnavailable: Reason): Fault {
  const reason = error.metadata.get(reasonKey)[0]?.toString() ?? ''
  if (isReason(reason)) {
    const packed = error.metadata.get(factsKey)[0]
    const facts = packed === undefined ? {} : (JSON.parse(packed.toString()) as Facts)
    // The fact `field` names the refused field, which the caller presents.
    const field = facts['field']
    const fields = typeof field === 'string' ? [{ path: field, message: 'is not accepted' }] : []
    return new Fault(reason, facts, error, { fields })
  }
  const unanswered =
    error.code === status.UNAVAILABLE ||
    error.code === status.DEADLINE_EXCEEDED ||
    error.code === status.CANCELLED ||
    isOfTransport(error)
  return new Fault(unanswered ? whenUnavailable : 'internal', { grpcStatus: error.code }, error)
}

/**
 * Whether the connection failed, not the server: gRPC uses the same codes for both. Only a stream that ended without
 * the server's own status has these details.
 */
function isOfTransport({ code, details }: ServiceError): boolean {
  if (code === status.RESOURCE_EXHAUSTED) return details.startsWith('Bandwidth exhausted')
  return code === status.INTERNAL && /^(?:Received RST_STREAM|Write error)/.test(details)
}

/** Whether there was no connection to send the call on, to any replica. */
export function isUnconnected({ code, details }: ServiceError): boolean {
  return code === status.UNAVAILABLE && details.includes('No connection established')
}

/** HTTP/2's signal that the call never began, because its connection is closing: it is safe to retry. */
export function isUnseen({ code, details }: ServiceError): boolean {
  return code === status.UNAVAILABLE && details === 'Stream refused by server'
}
