import type { Minor } from '@malipo/kernel/money'
import type { Intent, Message, Said } from './tables.harness'

/** The answer is about this prompt, as far as it says. */
export function isOf({ requestId }: Intent, said: Said): boolean {
  return requestId === undefined || said.requestId === undefined || said.requestId === requestId
}

/** True of strength E2 or more: an answer about this prompt, a hint, or a callback that fails only one check. */
export function isReport(
  intent: Intent,
  { kind, said, isSourceKnown }: Message,
  askedMinor: Minor,
): boolean {
  if (said.kind !== 'receipt' && said.kind !== 'paid') return false
  if (kind === 'query_answer') return isOf(intent, said)
  if (kind === 'hint') return true
  const isOfRequest = intent.requestId === undefined || said.requestId === intent.requestId
  const marks = [isSourceKnown, isOfRequest, said.minor === askedMinor]
  return marks.filter((isRight) => !isRight).length <= 1
}
