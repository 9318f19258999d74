import type { Rail } from '@malipo/kernel/countries'
import type { IntentStatus } from '../../intents/rules/intent'
import type { Disposition } from '../../journal/rules/postings'

/**
 * How strong the evidence of a provider's message is, and what follows from it. E4: an answer that we fetched over TLS.
 * E3: a callback with the right token (the others are not even stored), from a known address, about our request and for
 * our amount. E2: one of these is missing, or the provider's callbacks are only hints. E1: anything less, such as a
 * hint that is neither bound to its attempt nor signed: anyone can make it up. Only E4 and E3 move anything; E2, and
 * seldom a hint of E1, makes us query the provider.
 */
export const strengths = ['E1', 'E2', 'E3', 'E4'] as const
export type Strength = (typeof strengths)[number]

export const messageKinds = ['callback', 'hint', 'query_answer', 'statement_row'] as const
export type MessageKind = (typeof messageKinds)[number]

/**
 * The kind of message that a callback of each provider is. Safaricom publishes its addresses and names the prompt. The
 * others publish none and need not sign, so their callbacks only hint that there is something to ask.
 */
export const callbackKindOf = {
  mpesa: 'callback',
  paybill: 'callback',
  mtn_momo: 'hint',
  airtel_money: 'hint',
  card: 'hint',
} as const satisfies Record<Rail, MessageKind>

/** Whether a detail of a message agrees with what we know. */
export const checkResults = ['right', 'wrong'] as const
export type CheckResult = (typeof checkResults)[number]

export interface Checks {
  /** The address it came from is on the provider's list; a hint came to the address of its attempt alone, or is signed. */
  readonly source: CheckResult
  /** The provider's id of the prompt is ours, or ours is not known yet. */
  readonly request: CheckResult
  /** The amount is the attempt's, or the message claims no payment. */
  readonly amount: CheckResult
}

/** The checks that a message of each kind has to pass. */
export const checksOf: Readonly<Record<MessageKind, readonly (keyof Checks)[]>> = {
  callback: ['source', 'request', 'amount'],
  hint: ['source'],
  // An answer about another prompt than the one that we asked about is no answer.
  query_answer: ['request'],
  // A statement shows money that is there, whatever its amount.
  statement_row: [],
}

/** The strength of each kind of message, by how many of its checks come out wrong. */
export const strengthByWrong: Readonly<Record<MessageKind, readonly Strength[]>> = {
  callback: ['E3', 'E2', 'E1', 'E1'],
  hint: ['E2', 'E1'],
  query_answer: ['E4', 'E1'],
  statement_row: ['E4'],
}

export function strengthOf(kind: MessageKind, given: Checks): Strength {
  const wrong = checksOf[kind].filter((check) => given[check] === 'wrong').length
  return strengthByWrong[kind][wrong] ?? 'E1'
}

export const factKinds = [
  /** Paid, and this is the receipt. */
  'receipt',
  /** Paid, but the message names no receipt. */
  'paid',
  'declined',
  /** Declined, although the provider has reported "paid" before, or a report of payment is open. */
  'declined_after_paid',
  /** The provider's answer that it knows of no such payment. */
  'not_found',
  /** No verdict yet, or a code that our tables lack. */
  'undecided',
  /** The body does not have the shape that the provider documents. */
  'unreadable',
] as const
export type FactKind = (typeof factKinds)[number]

export const effects = [
  /** Post the money. */
  'settle',
  /** Believe it was paid, and fetch the receipt. */
  'await_receipt',
  /** End the attempt without money. */
  'decline',
  /** A "no" that counts when a second one agrees. */
  'corroborate',
  /** The table `absenceOf` decides. */
  'evaluate_absence',
  /** Query the provider sooner than planned. */
  'ask',
  /** Forget an earlier "no": the provider is not so sure. */
  'wait',
  'keep',
  'contradict',
  'park',
] as const
export type Effect = (typeof effects)[number]

export const effectOf = {
  E4: {
    receipt: 'settle',
    paid: 'await_receipt',
    declined: 'corroborate',
    declined_after_paid: 'contradict',
    not_found: 'evaluate_absence',
    undecided: 'wait',
    unreadable: 'park',
  },
  E3: {
    receipt: 'settle',
    paid: 'ask',
    declined: 'decline',
    declined_after_paid: 'contradict',
    not_found: 'keep',
    undecided: 'keep',
    unreadable: 'park',
  },
  E2: {
    receipt: 'ask',
    paid: 'ask',
    declined: 'ask',
    declined_after_paid: 'keep',
    not_found: 'keep',
    undecided: 'keep',
    unreadable: 'park',
  },
  E1: {
    receipt: 'keep',
    paid: 'keep',
    declined: 'keep',
    declined_after_paid: 'keep',
    not_found: 'keep',
    undecided: 'keep',
    unreadable: 'park',
  },
} as const satisfies Record<Strength, Record<FactKind, Effect>>

/** The prompt's age when a query answers "no", and what the answer before it was. */
export const promptAges = ['young', 'old'] as const
export type PromptAge = (typeof promptAges)[number]
export const earlierDenials = ['none', 'other', 'same_too_soon', 'same', 'hinted'] as const
export type EarlierDenial = (typeof earlierDenials)[number]

export const denialEffects = ['keep', 'remember', 'decline'] as const
export type DenialEffect = (typeof denialEffects)[number]

/**
 * A status query may confirm and never deny alone: providers have answered "failed" for payments that went through.
 * Two answers with the same code, far enough apart and about a prompt that is old enough, end an attempt. So does one
 * answer that confirms a callback of the provider.
 */
export const denialOf = {
  young: { none: 'keep', other: 'keep', same_too_soon: 'keep', same: 'keep', hinted: 'decline' },
  old: {
    none: 'remember',
    other: 'remember',
    same_too_soon: 'keep',
    same: 'decline',
    hinted: 'decline',
  },
} as const satisfies Record<PromptAge, Record<EarlierDenial, DenialEffect>>

/** How the payer is asked: by a prompt that the provider sends, or on a page that the provider hosts. */
export const askingKinds = ['prompt', 'page'] as const
export type AskingKind = (typeof askingKinds)[number]

/** How each rail asks. Pay Bill money is not asked for: no status query is ever about it. */
export const askingKindOf = {
  mpesa: 'prompt',
  paybill: 'prompt',
  mtn_momo: 'prompt',
  airtel_money: 'prompt',
  card: 'page',
} as const satisfies Record<Rail, AskingKind>

/** What was reported of the attempt before a status query finds nothing. */
export const earlierReports = ['none', 'declined', 'paid'] as const
export type EarlierReport = (typeof earlierReports)[number]

export const absenceEffects = ['wait', 'decline'] as const
export type AbsenceEffect = (typeof absenceEffects)[number]

/**
 * "Not found" does not mean "declined". Providers have answered "not found" about payments that they had accepted and
 * that went through, and a provider that moves to another platform answers so about each payment of the old one. So
 * "not found" ends no prompt that may have been sent; a prompt that was not sent has failed by the answer to its call.
 * A card order begins with the payer's first step on the page, so there "not found" confirms the card gateway's
 * notification that the payer left. A browser that comes back is no such notification, because the page still takes
 * cards.
 */
export const absenceOf = {
  prompt: { none: 'wait', declined: 'wait', paid: 'wait' },
  page: { none: 'wait', declined: 'decline', paid: 'wait' },
} as const satisfies Record<AskingKind, Record<EarlierReport, AbsenceEffect>>

/** `large`: the amount is above the most that a callback is credited for before a status query has confirmed it. */
export const callbackAmounts = ['small', 'large'] as const
export type CallbackAmount = (typeof callbackAmounts)[number]

/** What the worker's own status query has answered so far: nothing that counts, or that the prompt was paid. */
export const queryAnswers = ['none', 'paid'] as const
export type QueryAnswer = (typeof queryAnswers)[number]

/**
 * The effect of a receipt in a callback that is strong enough to settle. An attacker in our own gateway can forge such
 * a callback: the gateway stores callbacks, names their source address, and knows tokens and validation answers. It
 * cannot forge an answer to a status query or a row of a statement, so a large amount waits for one of these.
 */
export const callbackReceiptOf = {
  small: { none: 'settle', paid: 'settle' },
  large: { none: 'ask', paid: 'settle' },
} as const satisfies Record<CallbackAmount, Record<QueryAnswer, Effect>>

/**
 * How many receipts E3 callbacks have named for an intent that can still settle it. If there are none, callbacks count
 * whose only fault is an unlisted address or a missing amount.
 */
export const reportedReceipts = ['none', 'one', 'several'] as const
export type ReportedReceipts = (typeof reportedReceipts)[number]

/** The effect of a status answer "paid" without a receipt: it confirms the one receipt named for that very prompt. */
export const paidAnswerOf = {
  none: 'await_receipt',
  one: 'settle',
  several: 'await_receipt',
} as const satisfies Record<ReportedReceipts, Effect>

export const evidenceResults = [
  'settled',
  'already_settled',
  'failed',
  'kept',
  'contradiction',
  'parked',
] as const
export type EvidenceResult = (typeof evidenceResults)[number]

export interface Outcome {
  readonly result: EvidenceResult
  /** Null when no attempt asked for the money. */
  readonly statusBefore: IntentStatus | null
  readonly kind: MessageKind
  readonly strength: Strength | null
  /** Where the money went, if this application posted it. */
  readonly disposition: Disposition | null
}

const ofResult: Readonly<Record<EvidenceResult, readonly string[]>> = {
  settled: [],
  already_settled: [],
  failed: [],
  kept: [],
  contradiction: ['contradiction'],
  parked: ['inbox_parked'],
}

const ofDisposition: Readonly<Record<Disposition, readonly string[]>> = {
  merchant: [],
  suspense_duplicate: ['double_payment', 'suspense_duplicate'],
  suspense_mismatch: ['suspense_mismatch'],
  suspense_unmatched: ['suspense_unmatched'],
}

/** The counters that one outcome raises, for alerts to read. An ordinary payment raises none. */
export function countersOf({
  result,
  statusBefore,
  kind,
  strength,
  disposition,
}: Outcome): string[] {
  const isLate = result === 'settled' && (statusBefore === 'failed' || statusBefore === 'expired')
  const isWeak = result === 'kept' && kind === 'callback' && strength !== 'E3'
  return [
    ...ofResult[result],
    ...(disposition === null ? [] : ofDisposition[disposition]),
    ...(isLate ? ['late_success'] : []),
    ...(isWeak ? ['callback_mismatch'] : []),
  ]
}
