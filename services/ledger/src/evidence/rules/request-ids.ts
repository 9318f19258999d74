import type { Strength } from './evidence'
import type { EvidenceState, Fact, Intent } from './state'

/**
 * Whether a message is about our prompt. A callback has to name the id in the provider's answer to our call, if that has
 * come; a query answer or a statement row may leave the id out. An id that only a callback gave makes no other callback
 * wrong, but we query by it, so an answer has to be about it.
 */
export function isOfRequest(
  { intent, message, isRequestTaken }: EvidenceState,
  { providerRequestId: named }: Fact,
): boolean {
  const isCallback = message.kind === 'callback'
  const known = isCallback ? intent.providerRequestId : requestIdOf(intent)
  if (isRequestTaken) return false
  if (known === null) return true
  return named === undefined ? !isCallback : named === known
}

/** The provider's id of the prompt: from its answer to our call or, where that was lost, from an E3 callback. */
export function requestIdOf({ providerRequestId, callbackRequestId }: Intent): string | null {
  return providerRequestId ?? callbackRequestId
}

/**
 * Takes the id of the prompt from an E3 callback where our call was not answered, so that the prompt can be queried.
 */
export function nameRequest(
  { intent, message }: EvidenceState,
  { providerRequestId }: Fact,
  { strength }: { readonly strength: Strength },
): Intent {
  const isInOrder = message.kind === 'callback' && strength === 'E3'
  const isWanted = requestIdOf(intent) === null && providerRequestId !== undefined
  return isInOrder && isWanted ? { ...intent, callbackRequestId: providerRequestId } : intent
}
