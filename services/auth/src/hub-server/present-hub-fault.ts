import { failure } from '@malipo/interface/envelopes'
import { errors, type Fault } from '@malipo/kernel/errors'
import { type Answer, jsonAnswer } from '@malipo/runtime/answer'
import { faultHeaders } from '@malipo/runtime/present-fault'

/** The PIN details that its owner may see. */
const shownFacts = ['tries_left', 'retry_after_seconds'] as const

/** The JSON error of a fault, with the PIN details when a PIN was refused. */
export function presentHubFault(fault: Fault, requestId: string): Answer {
  const { http } = errors[fault.reason]
  const details = Object.fromEntries(
    shownFacts.flatMap((name) => (name in fault.facts ? [[name, fault.facts[name]]] : [])),
  )
  return jsonAnswer(http, { ...failure(fault, requestId), details }, faultHeaders(fault))
}
