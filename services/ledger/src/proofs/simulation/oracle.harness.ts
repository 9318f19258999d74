import type { Started } from './starts.harness'
import { isDeclineFair, isReport } from './declines.harness'
import { allowed, deadlines, hour, reportHold, roundedUp } from './design.harness'
import type { SimulatedLedger } from './ledger.harness'
import type { Prompt, ProviderBook } from './provider.harness'
import { feeOf, MoneyOracle } from './oracle-money.harness'
import {
  type StartInput,
  type Intent,
  type Message,
  type Moment,
  nameOfKey,
  never,
  ofHandle,
  type Step,
  type Event,
} from './tables.harness'
import { WatchOracle } from './watch.harness'
import type { Worker } from './worker.harness'

/** What merchants have to be notified of: a checkout that is completed, once, and each attempt that fails before. */
class Notices {
  private seen = 0
  private readonly given = new Map<string, number>()
  private readonly due = new Map<string, number>()

  /** Notes the event that a step of an intent makes due. Steps come in their order. */
  expect({ from, to }: Step, { checkoutId, settled }: Intent): void {
    if (checkoutId === ofHandle) return
    const completed = `checkout.completed ${String(checkoutId)}`
    if (to === 'completed' && settled?.disposition === 'merchant') this.due.set(completed, 1)
    if (to === 'failed' && from !== 'failed' && !this.due.has(completed)) {
      count(this.due, `payment.failed ${String(checkoutId)}`)
    }
  }

  /** Whether the events are those that are due. */
  areGiven(events: readonly Event[]): boolean {
    for (const { type, checkoutId } of events.slice(this.seen)) {
      count(this.given, `${type} ${String(checkoutId)}`)
    }
    this.seen = events.length
    return (
      this.given.size === this.due.size &&
      [...this.due].every(([event, times]) => this.given.get(event) === times)
    )
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/**
 * Says which invariant of the ledger is broken. The oracle judges by the provider's book and the raw messages, and not
 * by the rules of the ledger under test.
 */
export class Oracle {
  private readonly ledger: SimulatedLedger
  private readonly book: ProviderBook
  private readonly worker: Worker
  private steps = 0
  private transfers = 0
  private applied = 0
  private prompts = 0
  private readonly money: MoneyOracle
  private readonly watch: WatchOracle
  /** What each attempt may ask its payer for, whatever the setting becomes later. */
  private readonly request = new Map<number, bigint>()
  private readonly firstAnswers = new Map<string, number>()
  private readonly completed = new Set<number>()
  private readonly notices = new Notices()
  /** When an intent was first reported as paid, with strength E2 or more (decision 0005) and without a posting. */
  private readonly firstReportedAt = new Map<number, Moment>()
  private broken: string | undefined

  constructor(ledger: SimulatedLedger, book: ProviderBook, worker: Worker) {
    this.ledger = ledger
    this.book = book
    this.worker = worker
    const expect = (what: string, holds: boolean) => {
      this.expect(what, holds)
    }
    this.money = new MoneyOracle(ledger, book, { request: this.request, expect })
    this.watch = new WatchOracle(ledger, book, { reportedAt: this.firstReportedAt, expect })
  }

  private expect(what: string, holds: boolean): void {
    if (!holds) this.broken ??= what
  }

  /** Checks a start: a key is one attempt for ever, a phone has five prompts an hour at most, and a checkout twenty. */
  answered(wish: StartInput, { outcome, intentId }: Started): void {
    const { checkoutId, phone } = wish
    if (intentId === undefined) return
    const name = nameOfKey(wish)
    const first = this.firstAnswers.get(name)
    this.expect('one key is one attempt', first === undefined || first === intentId)
    this.firstAnswers.set(name, intentId)
    if (outcome !== 'started') return
    this.request.set(intentId, this.dueOf(wish))
    if (wish.rail === 'card') return
    const recent = this.ledger.intents.filter(
      (intent) => intent.reference !== undefined && intent.createdAt > this.ledger.now - hour,
    )
    const ofPhone = recent.filter((intent) => intent.phone === phone).length
    this.expect('no phone has more than five prompts in an hour', ofPhone <= 5)
    const ofCheckout = recent.filter((intent) => intent.checkoutId === checkoutId).length
    if (checkoutId === ofHandle) return
    this.expect('no checkout has more than twenty prompts in an hour', ofCheckout <= 20)
  }

  private dueOf({ checkoutId, rail, amountMinor }: StartInput): bigint {
    if (amountMinor !== undefined) return this.money.rounded(amountMinor)
    if (rail !== 'card') return this.money.dueNow(checkoutId)
    const price = this.ledger.checkouts[checkoutId]?.amountMinor ?? 0n
    return price + feeOf(price)
  }

  /** What must be true at every moment. Looks only at what is new, where that is enough. */
  check(): string | undefined {
    const { steps, transfers, applied, intents } = this.ledger
    for (const step of steps.slice(this.steps)) this.checkStep(step)
    this.steps = steps.length
    for (const transfer of transfers.slice(this.transfers)) this.money.check(transfer)
    this.transfers = transfers.length
    for (const message of applied.slice(this.applied)) this.checkApplied(message)
    this.applied = applied.length
    for (const { intentId, amountMinor } of this.book.prompts.slice(this.prompts)) {
      const isAsAgreed = amountMinor === this.request.get(intentId)
      this.expect('a prompt asks for the price, or for the next whole shilling', isAsAgreed)
    }
    this.prompts = this.book.prompts.length
    const { events } = this.ledger
    const isNotified = this.notices.areGiven(events)
    this.expect('a merchant is notified once of what happened, and of nothing else', isNotified)
    for (const { id, isReceiptWanted } of intents) {
      const isPaid = !isReceiptWanted || this.book.promptOf(id)?.state === 'paid'
      this.expect('a receipt is wanted of what was paid', isPaid)
    }
    this.checkCheckouts()
    return this.ledger.refusal ?? this.worker.violation ?? this.broken
  }

  private checkStep(step: Step): void {
    const { intentId, from, event, to, order } = step
    this.expect(`${from} ${event} ${to} is in the table`, allowed.has(`${from} ${event} ${to}`))
    const intent = this.worker.attempt(intentId)
    this.notices.expect(step, intent)
    if (event === 'declined') {
      this.expect('no reported payment fails', !this.firstReportedAt.has(intentId))
      this.expect('an intent fails only by a denial that counts', this.isDeclineFair(intent, order))
    } else if (event === 'refused') {
      const prompt = this.book.promptOf(intentId)
      this.expect('what the provider took is not refused', prompt === undefined)
    } else if (event === 'lapsed') {
      const isSent = intent.submittedAt !== never
      const since = isSent ? this.lapsesAt(intent) : intent.createdAt + 60
      this.expect('nothing expires before its time', this.ledger.now >= since)
      const reportedAt = this.firstReportedAt.get(intentId) ?? -never
      this.expect(
        'a reported payment is pending for its hold',
        this.ledger.now >= reportedAt + reportHold,
      )
    }
  }

  /** A card page is open until it expires, and the card gateway has half a minute more to report what happened. */
  private lapsesAt({ page, rail, submittedAt }: Intent): Moment {
    return page === undefined ? submittedAt + deadlines[rail] : page.expiresAt + 30
  }

  private isDeclineFair(intent: Intent, order: number): boolean {
    const messages = this.ledger.applied.filter(
      (message) => message.intentId === intent.id && message.order < order,
    )
    return isDeclineFair(intent, this.book.promptOf(intent.id)?.state, messages)
  }

  /** Checks that a message that is certain posts its money when it is applied, without any other message. */
  private checkApplied(message: Message): void {
    const { intentId, kind, reported } = message
    this.noteReport(message)
    const prompt = this.book.promptOf(intentId ?? -1)
    if (prompt === undefined || reported.kind !== 'receipt') return
    const isCertain = kind === 'statement_row' || this.isEnough(message, prompt)
    if (!isCertain) return
    const isPosted = this.ledger.transfers.some(({ receipt }) => receipt === reported.receipt)
    this.expect('what is certain is posted', isPosted)
  }

  /** A callback that passes every check is enough alone, up to the amount that the operator has set. */
  private isEnough({ kind, reported, isSourceKnown }: Message, prompt: Prompt): boolean {
    const { rail, requestId, amountMinor } = prompt
    const isWhole =
      isSourceKnown && reported.requestId === requestId && reported.minor === amountMinor
    const isSmall = amountMinor <= this.ledger.unconfirmedMaxMinor
    return kind === 'callback' && rail === 'mpesa' && isWhole && isSmall
  }

  private noteReport(message: Message): void {
    const intent = this.ledger.intents[message.intentId ?? -1]
    if (intent === undefined || intent.settled !== undefined) return
    // Before the prompt was sent there was nothing to pay.
    const isSent = this.ledger.steps.some(
      ({ intentId, event, order }) =>
        intentId === intent.id && event === 'submitted' && order < message.order,
    )
    if (!isSent) return
    const { receipt: named, requestId } = message.reported
    const isPosted = this.ledger.transfers.some(({ receipt }) => receipt === named)
    if (isPosted || this.firstReportedAt.has(intent.id)) return
    const askedMinor = this.request.get(intent.id) ?? intent.amountMinor
    const isOfAnother = this.ledger.isOfAnother(intent, requestId)
    if (!isReport(intent, message, { askedMinor, isOfAnother })) return
    this.firstReportedAt.set(intent.id, this.ledger.now)
  }

  private checkCheckouts(): void {
    for (const { id, amountMinor, expiresAt } of this.ledger.checkouts) {
      const flights = this.ledger.intents.filter(
        (intent) => intent.checkoutId === id && intent.endedAt === never,
      ).length
      this.expect('a checkout has at most one attempt in flight', flights <= 1)
      const credited = this.money.credited.get(id)
      this.expect(
        'a merchant gets what was asked for or nothing',
        credited === undefined || credited === amountMinor || credited === roundedUp(amountMinor),
      )
      const isCompleted = this.ledger.isPaid(id)
      const isTimeUp = this.ledger.now >= expiresAt
      const status = this.ledger.readStatus({ isCompleted, isInFlight: flights > 0, isTimeUp })
      this.expect(
        'completed is for whose merchant has the money',
        (status === 'completed') === (credited !== undefined),
      )
      const isExpired = isTimeUp && flights === 0 && credited === undefined
      this.expect('expired is for what can no longer be paid', (status === 'expired') === isExpired)
      if (this.completed.has(id)) this.expect('completed is for ever', status === 'completed')
      if (status === 'completed') this.completed.add(id)
    }
  }

  /** Checks what is true once nothing is watched any more. */
  checkWatch(): string | undefined {
    this.watch.checkWatch()
    return this.broken
  }

  checkLastQuery(): void {
    this.watch.checkLastQuery()
  }

  /** Checks the end of a run: the books agree receipt by receipt, and no intent waits. */
  checkEnd(): string | undefined {
    const { transfers, messages, intents, suspense } = this.ledger
    for (const { receipt } of this.book.movements) {
      const isPosted = transfers.some((transfer) => transfer.receipt === receipt)
      this.expect('money that came is posted', isPosted)
    }
    for (const intent of intents) {
      this.expect('no intent waits for ever', intent.endedAt !== never)
      const money = transfers.filter(
        ({ receipt, leg }) => receipt === intent.settled?.receipt && leg === 0,
      )
      this.expect(
        'every receipt of an intent is one transfer',
        money.length === (intent.settled === undefined ? 0 : 1),
      )
    }
    this.expect(
      'every message has a result',
      messages.every(({ result }) => result !== undefined),
    )
    const came = sum(this.book.movements)
    this.expect('all that came is in the books, to the cent', sum(transfers) === came)
    const held = transfers.filter(({ credit }) => credit.startsWith('suspense:'))
    this.expect('suspense holds its items', sum(held) === sum(suspense))
    return this.broken
  }
}

function sum(items: readonly { readonly minor: bigint }[]): bigint {
  return items.reduce((total, { minor }) => total + minor, 0n)
}
