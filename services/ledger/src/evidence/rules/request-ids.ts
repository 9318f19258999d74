import type { Strength } from './evidence'
import type { EvidenceState, Fact, Intent } from './state'

/**
 * A callback has to name our request, where we know its id; a query or a statement row may leave it out. What callbacks alone
 * have named makes none of them wrong, but it is what we asked about, so an answer has to be about that.
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

/** What the provider calls the prompt: by its answer to our call or, where that was lost, by a callback in order. */
export function requestIdOf({ providerRequestId, callbackRequestId }: Intent): string | null {
  return providerRequestId ?? callbackRequestId
}

/** A callback in order gives an intent whose own call was not answered the id that the provider can be asked about. */
export function nameRequest(
  { intent, message }: EvidenceState,
  { providerRequestId }: Fact,
  { strength }: { readonly strength: Strength },
): Intent {
  const isInOrder = message.kind === 'callback' && strength === 'E3'
  const isWanted = requestIdOf(intent) === null && providerRequestId !== undefined
  return isInOrder && isWanted ? { ...intent, callbackRequestId: providerRequestId } : intent
}
