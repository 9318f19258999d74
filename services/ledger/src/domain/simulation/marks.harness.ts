import type { Intent, Message } from './tables.harness'

/** The provider's id of the prompt is ours, or ours is not known yet. */
export function isOfRequest({ requestId }: Intent, { said, kind }: Message): boolean {
  if (requestId === undefined || said.requestId === requestId) return true
  return said.requestId === undefined && kind !== 'callback'
}

/** The amount is what the attempt asked for, or the message claims no payment. An answer without one is about ours. */
export function isOfAmount({ askedMinor }: Intent, { said, kind }: Message): boolean {
  if (said.kind !== 'receipt' && said.kind !== 'paid') return true
  return (said.minor ?? (kind === 'query_answer' ? askedMinor : undefined)) === askedMinor
}
