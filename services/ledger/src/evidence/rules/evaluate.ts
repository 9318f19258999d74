import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { Minor } from '@malipo/kernel/money'
import { providerOf } from '../../journal/rules/postings'
import {
  absenceOf,
  askingKindOf,
  callbackKindOf,
  callbackReceiptOf,
  denialOf,
  type EarlierDenial,
  type Effect,
  effectOf,
  type FactKind,
  type CheckResult,
  paidAnswerOf,
  type Strength,
  strengthOf,
  type EvidenceResult,
} from './evidence'
import { isProvenBy, requestedMinorOf, standingOf } from './elsewhere'
import { isOfRequest, requestIdOf } from './request-ids'
import {
  type EvidenceState,
  type EvidenceTerms,
  type Fact,
  type Instant,
  type Intent,
  later,
  type Report,
  type Writes,
} from './state'

/** A message, evaluated: what it says beside what was known, its strength, and its effect. */
export interface Evaluated {
  readonly fact: FactKind
  readonly strength: Strength
  readonly effect: Effect
  readonly receipt: string | undefined
  /** The provider's id of the prompt in the message. */
  readonly requestId: string | undefined
  readonly minor: Minor | undefined
  readonly paidAt: Instant | null
  readonly cause: FailureCause | null
  readonly providerCode: string | null
  /** A "no" to remember until a second one agrees. */
  readonly denial?: Pick<Intent, 'deniedCode' | 'deniedAt'>
}

export function evaluate(state: EvidenceState, reported: Fact, terms: EvidenceTerms): Evaluated {
  const { intent, message } = state
  // An answer to our own query that names no amount, as Airtel's never does, is about the amount that we asked for.
  const answeredMinor = message.kind === 'query_answer' ? requestedMinorOf(state) : undefined
  const minor = reported.amountMinor ?? answeredMinor
  const strength = strengthOf(message.kind, {
    source: resultOf(message.kind === 'hint' ? isOfIntent(state, reported) : message.isSourceKnown),
    request: resultOf(isOfRequest(state, reported)),
    amount: resultOf(!claimsPayment(reported.kind) || minor === requestedMinorOf(state)),
  })
  const isContested = reported.kind === 'declined' && isReported(intent)
  const fact: FactKind = isContested ? 'declined_after_paid' : reported.kind
  const evaluated = {
    ...{ fact, strength, minor, receipt: reported.receipt },
    requestId: reported.providerRequestId,
    effect: effectOf[strength][fact],
    paidAt: reported.paidAt === undefined ? null : reported.paidAt.getTime() * 1_000,
    cause: reported.cause ?? null,
    providerCode: reported.providerCode ?? null,
  }
  return { ...evaluated, ...refine(state, evaluated, terms) }
}

/** A message that is neither bound to its intent nor signed may be made up. */
function isOfIntent({ message }: EvidenceState, { isSigned = false }: Fact): boolean {
  return message.isBound || isSigned
}

/**
 * Whether a hint that may be made up makes a query due: always before the first query, and later only if it says "paid",
 * because money may have come for an intent that is no longer watched.
 */
function isWorthAsking({ message, intent }: EvidenceState, fact: FactKind): boolean {
  return message.kind === 'hint' && (intent.askedAt === null || claimsPayment(fact))
}

function claimsPayment(fact: FactKind): boolean {
  return fact === 'receipt' || fact === 'paid'
}

function resultOf(isRight: boolean): CheckResult {
  return isRight ? 'right' : 'wrong'
}

/** The provider has reported "paid" before, or a report of payment is open. */
function isReported({ receiptWanted, reportedAt }: Intent): boolean {
  return receiptWanted || reportedAt !== null
}

/** Replaces an effect that depends on more than the strength of the message, by what is known of the intent. */
function refine(
  state: EvidenceState,
  evaluated: Evaluated,
  terms: EvidenceTerms,
): Partial<Evaluated> {
  const { effect, fact, receipt, requestId, providerCode } = evaluated
  switch (effect) {
    case 'keep':
      return isWorthAsking(state, fact) ? { effect: 'ask' } : {}
    case 'evaluate_absence':
      // "Not found" ends only a card payment whose payer, by the card gateway's notice, left the page unpaid.
      return { effect: absence(state), cause: 'cancelled' }
    case 'corroborate':
      return corroborate(state, providerCode, terms)
    case 'settle':
      return { effect: callbackReceipt(state, evaluated, terms), receipt }
    case 'await_receipt':
      return paidAnswer(state, requestId)
    default:
      return {}
  }
}

/** Any browser can open the return address of a card page, so for a card only the card gateway's notice counts. */
function isHintedDeclined({ declinedHint, card }: EvidenceState): boolean {
  return declinedHint === 'known_source' || (declinedHint !== 'none' && card === undefined)
}

/** Whether a callback or a hint says "declined", and not only query answers, which were wrong about paid prompts. */
export function isDeclinedForSure(
  state: EvidenceState,
  { fact, strength }: Pick<Evaluated, 'fact' | 'strength'>,
): boolean {
  return fact === 'declined' && (strength === 'E3' || isHintedDeclined(state))
}

function absence(state: EvidenceState): Effect {
  const { intent } = state
  const declined = isHintedDeclined(state) ? 'declined' : 'none'
  return absenceOf[askingKindOf[intent.rail]][isReported(intent) ? 'paid' : declined]
}

function callbackReceipt(
  { message, intent }: EvidenceState,
  { minor, requestId }: Evaluated,
  { unconfirmedMaxMinor }: EvidenceTerms,
): Effect {
  if (message.kind !== 'callback') return 'settle'
  const amount = minor !== undefined && minor > unconfirmedMaxMinor ? 'large' : 'small'
  // The "paid" answer was about the prompt that we queried, so it confirms no callback about another prompt.
  const isAnswered = intent.receiptWanted && requestId === requestIdOf(intent)
  return callbackReceiptOf[amount][isAnswered ? 'paid' : 'none']
}

/** "Paid" without a receipt settles by the one receipt that callbacks have named for its prompt, and by none of several. */
function paidAnswer(state: EvidenceState, answeredId: string | undefined): Partial<Evaluated> {
  if (state.intent.settledAt !== null) return {}
  const named = state.reports.filter(
    (one) => one.receipt !== '' && isOfAnswer(state, one, answeredId) && isToSettle(state, one),
  )
  const inOrder = named.filter(({ strength }) => strength === 'E3')
  const [report, ...others] =
    inOrder.length > 0 ? inOrder : named.filter((one) => isFromUnlisted(state, one))
  if (report === undefined) return { effect: paidAnswerOf.none }
  if (others.length > 0) return { effect: paidAnswerOf.several }
  return {
    effect: paidAnswerOf.one,
    receipt: report.receipt,
    paidAt: report.paidAt,
  }
}

/**
 * Whether a callback made the report, named the prompt, and was weak only because its address is not listed or because
 * it had no amount (the report then has the amount that was asked). A report that operators closed as false is not used.
 */
function isFromUnlisted(
  state: EvidenceState,
  { strength, requestId, minor, isClosed }: Report,
): boolean {
  const isCallback = callbackKindOf[state.intent.rail] === 'callback'
  const isOfPrompt = requestId !== null && minor === requestedMinorOf(state)
  return isCallback && strength === 'E2' && isOfPrompt && !isClosed
}

/** Whether the answer is about the prompt of the report. A report without a prompt id counts where our call was answered. */
function isOfAnswer(
  { intent }: EvidenceState,
  { requestId }: Report,
  answeredId: string | undefined,
): boolean {
  return requestId === null ? intent.providerRequestId !== null : requestId === answeredId
}

/** Whether the receipt can settle the intent: the journal lacks it, or has it unmatched in suspense. */
function isToSettle(state: EvidenceState, report: Report): boolean {
  const standing = standingOf(state, { ...report, isProven: false }, requestedMinorOf(state))
  return standing === 'nowhere' || standing === 'unmatched'
}

/**
 * Evaluates a status answer "declined". Without a hint that agrees, it counts only once the prompt is old enough. An
 * open card page counts as a young prompt, because the payer may try another card after one was declined.
 */
function corroborate(
  state: EvidenceState,
  providerCode: string | null,
  terms: EvidenceTerms,
): Partial<Evaluated> {
  const { message, intent, card } = state
  const youngUntil =
    card?.expiresAt ??
    (intent.submittedAt === null ? undefined : later(intent.submittedAt, terms.denyAfterSeconds))
  const isYoung = youngUntil !== undefined && message.receivedAt < youngUntil
  switch (denialOf[isYoung ? 'young' : 'old'][earlierDenial(state, providerCode, terms)]) {
    case 'decline':
      return { effect: 'decline' }
    case 'remember':
      return {
        denial: { deniedCode: providerCode, deniedAt: message.receivedAt },
      }
    case 'keep':
      return {}
  }
}

function earlierDenial(
  state: EvidenceState,
  providerCode: string | null,
  { queryEverySeconds }: EvidenceTerms,
): EarlierDenial {
  const { status, deniedCode, deniedAt } = state.intent
  if (isHintedDeclined(state)) return 'hinted'
  // An intent that has failed is denied once more: one answer is enough to end its watch.
  if (status === 'failed') return 'hinted'
  if (deniedCode === null || deniedAt === null) return 'none'
  if (deniedCode !== providerCode) return 'other'
  return state.message.receivedAt < later(deniedAt, queryEverySeconds) ? 'same_too_soon' : 'same'
}

/** Whether a message reports a payment that it did not settle. */
export function isReport(
  state: EvidenceState,
  reported: Fact,
  { fact, strength }: Evaluated,
  result: EvidenceResult,
): boolean {
  const isSettled = result === 'settled' || result === 'already_settled'
  return claimsPayment(fact) && strength !== 'E1' && isOfIntent(state, reported) && !isSettled
}

/**
 * Lists a report of payment once for each receipt, unless the journal has the receipt for this payment, and keeps an
 * intent in flight open. A stronger report updates an earlier one of the same receipt.
 */
export function noteReport(
  state: EvidenceState,
  evaluated: Evaluated,
  { reportHoldSeconds }: EvidenceTerms,
): Pick<Writes, 'report'> & { readonly intent?: Intent } {
  const { intent, message, reports } = state
  const { fact, strength, requestId = null, paidAt } = evaluated
  const { receipt = '', minor = requestedMinorOf(state) } = evaluated
  const isProven = isProvenBy({ fact, strength })
  const standing = standingOf(state, { receipt, isPosted: state.isPosted, isProven }, minor)
  if (receipt === '' ? intent.settledAt !== null : standing === 'here') return {}
  const isElsewhere = standing === 'elsewhere'
  const known = reports.find((report) => report.receipt === receipt)
  const held = hold(state, reportHoldSeconds)
  const report = {
    ...{
      intentId: intent.id,
      receipt,
      messageId: message.id,
      provider: providerOf[intent.rail],
    },
    ...{ minor, strength, paidAt, requestId, isElsewhere },
  }
  return { ...(held && { intent: held }), ...(isNews(known, report) && { report }) }
}

/** A report is written if its receipt is new, its evidence is stronger, or its receipt is now known to be elsewhere. */
function isNews(
  known: Report | undefined,
  { strength, isElsewhere }: Pick<Report, 'strength' | 'isElsewhere'>,
): boolean {
  return known === undefined || known.strength < strength || (isElsewhere && !known.isElsewhere)
}

/** Extends the deadline of an intent for its first report only, so that many reports cannot keep it open forever. */
export function hold(
  { intent, now }: Pick<EvidenceState, 'intent' | 'now'>,
  seconds: number,
): Intent | undefined {
  const { submittedAt, settledAt, reportedAt, endedAt, deadlineAt } = intent
  if (reportedAt !== null || settledAt !== null || submittedAt === null) return undefined
  if (endedAt !== null) return { ...intent, reportedAt: now, heldUntil: null, deadlineAt: null }
  const until = later(now, seconds)
  const extended = Math.max(deadlineAt ?? until, until)
  return { ...intent, reportedAt: now, heldUntil: until, deadlineAt: extended }
}
