import type { SubmitOutcome } from '../../intents/rules/decide-submit'
import type { Received } from './inbox.harness'
import type { SimulatedLedger } from './ledger.harness'
import {
  answerOf,
  notFound,
  type ProviderBook,
  type Prompt,
  reportedPaid,
  undecided,
} from './provider.harness'
import { type Intent, never, ofHandle, type Reported, requestIdOf } from './tables.harness'

/** What a slow worker has yet to hand to the ledger: how a call ended, or the answer to a query. */
export interface Call {
  readonly intentId: number
  readonly outcome?: SubmitOutcome
  readonly requestId?: number
  readonly answer?: Reported
}

/** How a call to the provider ends, or whether the worker dies before or after it, by how often. */
export const submitFaults = [
  'dies before the call',
  'the call is lost',
  'the answer is lost',
  'dies after the call',
  'refused',
  'refused',
  'not sent',
  'accepted',
  'accepted',
  'accepted',
] as const

/** How a query goes wrong, by how often. The rest of the `answersInAll` possible answers are true. */
const answers = [
  'none',
  'lying no',
  'lying no',
  'lying no',
  'lying no',
  'undecided',
  'not found',
  'of another prompt',
  'of another prompt',
  'dies with the answer',
] as const
const answersInAll = 16

/** What is wrong with a provider, most of the time. */
export const providerTraits = ['honest', 'denies', 'confuses', 'contradicts', 'forgets'] as const
export type ProviderTrait = (typeof providerTraits)[number]

const usualAnswer = {
  honest: undefined,
  denies: 'lying no',
  confuses: 'of another prompt',
  contradicts: undefined,
  /** The provider has moved to another platform, which knows nothing of what the old one accepted. */
  forgets: 'not found',
} as const satisfies Record<ProviderTrait, Answer>

interface Luck {
  /** Undefined for a true answer. */
  readonly answer: Answer
  /** The answer is stored later than it comes. */
  readonly isSlow: boolean
  /** The statement cannot be read. */
  readonly isSilent: boolean
}

type Answer = (typeof answers)[number] | undefined

const lie = 7
type Trace = ((line: string) => void) | undefined

/** What the worker does between the ledger and a provider; it can die after each of its effects. */
export class Worker {
  readonly calls: Call[] = []
  readonly ledger: SimulatedLedger
  readonly book: ProviderBook
  readonly trace: Trace
  readonly trait: ProviderTrait
  private isHurried = false
  violation: string | undefined

  constructor(around: Pick<Worker, 'ledger' | 'book' | 'trace' | 'trait'>) {
    this.ledger = around.ledger
    this.book = around.book
    this.trace = around.trace
    this.trait = around.trait
  }

  /** Does the job submit-prompt. */
  submit(intentId: number, dice: number): void {
    const fault = submitFaults[dice % submitFaults.length] ?? 'accepted'
    if (!this.ledger.beginSubmit(intentId)) return
    this.trace?.(`the worker takes the prompt of attempt ${String(intentId)}: ${fault}`)
    const call = this.send(intentId, fault)
    if (call === undefined) return
    this.calls.push(call)
    const isQuick = (dice >> 4) % 4 !== 0
    if (isQuick) this.finish(this.calls.length - 1, false)
  }

  private send(intentId: number, fault: (typeof submitFaults)[number]): Call | undefined {
    switch (fault) {
      case 'dies before the call':
        return undefined
      case 'the call is lost':
        return { intentId, outcome: 'unknown' }
      case 'refused':
        return { intentId, outcome: 'refused' }
      case 'not sent':
        return { intentId, outcome: 'not_sent' }
      case 'the answer is lost':
        this.prompt(intentId)
        return { intentId, outcome: 'unknown' }
      case 'dies after the call':
        this.prompt(intentId)
        return undefined
      case 'accepted':
        return { intentId, outcome: 'accepted', requestId: this.prompt(intentId).requestId }
    }
  }

  private checkPhone({ id, phone, page }: Intent): void {
    if (page !== undefined) return
    const isBusy = this.ledger.intents.some(
      (other) => other.id !== id && other.phone === phone && this.ledger.isPromptOpen(other),
    )
    if (isBusy) this.violation ??= 'one prompt is open on a phone at a time'
  }

  /** Sends a prompt. The provider sees whether an intent has at most one, and none once its checkout is paid. */
  private prompt(intentId: number): Prompt {
    const intent = this.attempt(intentId)
    if (this.book.promptOf(intentId) !== undefined) {
      this.violation ??= 'at most one prompt an intent'
    }
    this.checkPhone(intent)
    if (intent.submittedAt > this.ledger.now) {
      this.violation ??= 'no prompt goes out before it is written down'
    }
    if (this.isPaid(intent)) this.violation ??= 'no payer is asked for what is paid'
    return this.book.prompt(orderOf(intent))
  }

  /** Whether the checkout is paid. A handle never is: it may be paid many times. */
  private isPaid({ checkoutId }: Intent): boolean {
    if (checkoutId === ofHandle) return false
    return this.ledger.transfers.some(
      (transfer) => isOfMerchant(transfer.credit) && transfer.checkoutId === checkoutId,
    )
  }

  attempt(intentId: number): Intent {
    const intent = this.ledger.intents[intentId]
    if (intent === undefined) throw new Error(`there is no attempt ${String(intentId)}`)
    return intent
  }

  /** Does the job query-intent. */
  query(intentId: number, dice: number): void {
    const intent = this.attempt(intentId)
    const isWanted = intent.isReceiptWanted
    if (!this.ledger.beginQuery(intentId)) return
    const luck = this.luckOf(dice)
    const isUnanswered = intent.requestId === undefined && intent.rail === 'mpesa'
    const isBlind = isUnanswered && intent.callbackRequestId === undefined
    const isPaid = isWanted || isBlind || this.askStatus(intent, luck, dice >> 8)
    if (isPaid || isUnanswered) this.readStatement(intent, luck)
  }

  private luckOf(dice: number): Luck {
    if (this.isHurried) return { answer: undefined, isSilent: false, isSlow: false }
    const usual = dice % 4 === 0 ? undefined : usualAnswer[this.trait]
    return {
      answer: usual ?? answers[dice % answersInAll],
      isSlow: (dice >> 4) % 2 === 0,
      isSilent: (dice >> 6) % 2 === 0,
    }
  }

  /** Returns whether the provider says "paid" and has no receipt to give. */
  private askStatus(intent: Intent, { answer, isSlow }: Luck, dice: number): boolean {
    const reported = this.statusOf(intent, answer, dice)
    this.trace?.(
      `the status of attempt ${String(intent.id)} is asked: ${reported?.kind ?? 'no answer'}`,
    )
    if (reported === undefined) return false
    if (isSlow) {
      this.calls.push({ intentId: intent.id, answer: reported })
      return false
    }
    this.keep(intent, 'query_answer', reported, answer === 'dies with the answer')
    return reported.kind === 'paid'
  }

  private statusOf(intent: Intent, answer: Answer, dice: number): Reported | undefined {
    switch (answer) {
      case 'none':
        return undefined
      case 'undecided':
        return undecided
      case 'lying no':
        return {
          ...{ kind: 'declined', code: lie + (dice % 4 === 0 ? 1 : 0) },
          ...(intent.requestId !== undefined && { requestId: intent.requestId }),
        }
      case 'not found':
        return notFound
      case 'of another prompt':
        return this.otherThan(intent)
      case 'dies with the answer':
      case undefined:
        return this.truthOf(intent)
    }
  }

  private truthOf(intent: Intent): Reported {
    const prompt = this.book.promptOf(intent.id, requestIdOf(intent))
    return prompt === undefined ? notFound : answerOf(prompt)
  }

  private otherThan({ id, requestId }: Intent): Reported | undefined {
    const other = this.book.prompts.find(({ intentId }) => intentId !== id)
    if (other === undefined || requestId === undefined) return undefined
    return answerOf(other)
  }

  private readStatement(intent: Intent, { answer, isSilent }: Luck): void {
    if (isSilent) return
    for (const movement of this.book.movements) {
      if (movement.account !== intent.reference) continue
      this.trace?.(`the statement shows ${movement.receipt} of attempt ${String(intent.id)}`)
      this.keep(intent, 'statement_row', reportedPaid(movement), answer === 'dies with the answer')
    }
  }

  private keep(intent: Intent, kind: Received['kind'], reported: Reported, dies: boolean) {
    const { id } = this.ledger.receive({ intentId: intent.id, kind, reported, isSourceKnown: true })
    if (!dies) this.read(id)
  }

  /** Does the job read-provider-message. */
  read(messageId: number): void {
    const result = this.ledger.apply(messageId)
    this.trace?.(`message ${String(messageId)} is applied: ${result ?? 'nothing'}`)
  }

  /** Does what the sweep does: the work of lost jobs. */
  sweep(limit: number, dice: number): number {
    const due = this.ledger.claimDue(limit)
    for (const { kind, id } of due) {
      if (kind === 'submit') this.submit(id, dice)
      if (kind === 'query' || kind === 'watch') this.query(id, dice)
      if (kind === 'read') this.read(id)
    }
    return due.length
  }

  /** Records how a call ended, which may be repeated later, or stores the answer to a query, which is stored once. */
  finish(place: number, isRepeated: boolean): void {
    const call = this.calls[place]
    if (call === undefined) return
    const { intentId, requestId, answer } = call
    if (!isRepeated || answer !== undefined) this.calls.splice(place, 1)
    if (answer !== undefined) this.keep(this.attempt(intentId), 'query_answer', answer, false)
    if (call.outcome === undefined) return
    const outcome = this.isContradicted(call) ? 'refused' : call.outcome
    this.trace?.(`the call about attempt ${String(intentId)} is recorded: ${outcome}`)
    this.ledger.recordSubmit(intentId, outcome, requestId)
  }

  /** A provider that contradicts itself may refuse a prompt that its payer has approved. */
  private isContradicted({ intentId, outcome }: Call): boolean {
    const isReported = this.attempt(intentId).reportedAt !== never
    return this.trait === 'contradicts' && outcome === 'accepted' && isReported
  }

  /** Makes every later query get a true answer at once. */
  hurry(): void {
    this.isHurried = true
  }
}

/** The order for a prompt or a card page, as the provider gets it. */
function orderOf({ id: intentId, reference = '', askedMinor, rail, page }: Intent) {
  return {
    ...{ intentId, reference },
    rail: rail === 'paybill' ? ('mpesa' as const) : rail,
    amountMinor: askedMinor + (page?.feeMinor ?? 0n),
  }
}

export function isOfMerchant(account: string): boolean {
  return account.startsWith('wallet:')
}
