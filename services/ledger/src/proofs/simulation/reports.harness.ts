import type { Minor } from '@malipo/kernel/money'
import type { Intent, Message, Reported } from './tables.harness'

/** Whether an answer fits this prompt: it names the prompt's request id, or none. */
export function isOf({ requestId }: Intent, reported: Reported): boolean {
  return (
    requestId === undefined || reported.requestId === undefined || reported.requestId === requestId
  )
}

/** True of strength E2 or more: an answer about this prompt, a hint, or a callback that fails only one check. */
export function isReport(
  intent: Intent,
  { kind, reported, isSourceKnown }: Message,
  askedMinor: Minor,
): boolean {
  if (reported.kind !== 'receipt' && reported.kind !== 'paid') return false
  if (kind === 'query_answer') return isOf(intent, reported)
  if (kind === 'hint') return true
  const isOfRequest = intent.requestId === undefined || reported.requestId === intent.requestId
  const marks = [isSourceKnown, isOfRequest, reported.minor === askedMinor]
  return marks.filter((isRight) => !isRight).length <= 1
}
