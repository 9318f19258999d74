import type { Minor } from '@malipo/kernel/money'
import type { Prompt } from './provider.harness'
import { type Intent, type Message, type Page, type Reported, requestIdOf } from './tables.harness'

/**
 * Whether an attempt may fail, by the provider's book and the messages that were applied before: the payer refused, a
 * listed address denies the payment, an answer confirms a denial, or two answers agree, far enough apart.
 */
export function isDeclineFair(
  intent: Intent,
  state: Prompt['state'] | undefined,
  messages: readonly Message[],
): boolean {
  const answeredPaid = messages.some(
    ({ kind, reported }) =>
      kind === 'query_answer' &&
      reported.kind === 'paid' &&
      reported.requestId === requestIdOf(intent),
  )
  if (answeredPaid) return false
  if (intent.page !== undefined) return isCardDeclineFair(intent, intent.page, messages)
  if (state === 'declined') return true
  const reportedDeclines = messages.filter(
    ({ reported }) => reported.kind === 'declined' && isOf(intent, reported),
  )
  if (reportedDeclines.some(({ kind, isSourceKnown }) => kind === 'callback' && isSourceKnown))
    return true
  const denials = reportedDeclines.filter(({ kind }) => kind === 'query_answer')
  const isHinted = messages.some(
    ({ kind, reported }) => kind === 'hint' && reported.kind === 'declined',
  )
  if (isHinted && denials.length > 0) return true
  return isAgreed(denials, intent.submittedAt + 60)
}

/**
 * A payer may try another card while the page is open. So an attempt fails only when the card gateway reports that the
 * payer has left and an answer confirms it, or when two answers agree, far enough apart, after the page has closed.
 */
function isCardDeclineFair(
  intent: Intent,
  { expiresAt }: Page,
  messages: readonly Message[],
): boolean {
  const answers = messages.filter(
    ({ kind, reported }) => kind === 'query_answer' && isOf(intent, reported),
  )
  const denials = answers.filter(({ reported }) => reported.kind === 'declined')
  const isLeft = messages.some(
    ({ kind, reported, isSourceKnown }) =>
      kind === 'hint' && reported.kind === 'declined' && isSourceKnown,
  )
  if (isLeft && answers.some(({ reported }) => reported.kind === 'not_found')) return true
  return (isLeft && denials.length > 0) || isAgreed(denials, expiresAt)
}

/** Whether two denials have the same code, the first at `from` or later, the second at least 15 s after the first. */
function isAgreed(denials: readonly Message[], from: number): boolean {
  return denials.some((one) =>
    denials.some(
      (other) =>
        one.reported.code === other.reported.code &&
        one.receivedAt >= from &&
        other.receivedAt >= one.receivedAt + 15,
    ),
  )
}

/** Whether an answer fits this prompt: it names the prompt's request id, or none. */
function isOf(intent: Intent, reported: Reported): boolean {
  const requestId = requestIdOf(intent)
  return (
    requestId === undefined || reported.requestId === undefined || reported.requestId === requestId
  )
}

/**
 * Whether a message reports payment with strength E2 or more (decision 0005): an answer, a hint, or a callback that
 * fails at most one check.
 */
export function isReport(
  intent: Intent,
  { kind, reported, isSourceKnown }: Message,
  { askedMinor, isOfAnother }: { readonly askedMinor: Minor; readonly isOfAnother: boolean },
): boolean {
  if (reported.kind !== 'receipt' && reported.kind !== 'paid') return false
  if (kind === 'query_answer') return isOf(intent, reported) && !isOfAnother
  if (kind === 'hint') return true
  const isOfRequest =
    intent.requestId === undefined ? !isOfAnother : reported.requestId === intent.requestId
  const checks = [isSourceKnown, isOfRequest, reported.minor === askedMinor]
  return checks.filter((isRight) => !isRight).length <= 1
}
