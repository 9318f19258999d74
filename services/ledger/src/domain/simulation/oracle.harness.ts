import type { Started } from './starts.harness'
import { allowed, deadlines, floatOf, hour, reportHold, roundedUp } from './design.harness'
import type { SimulatedLedger } from './ledger.harness'
import type { Movement, Prompt, ProviderBook } from './provider.harness'
import {
  type Asked,
  type Intent,
  type Message,
  type Moment,
  never,
  type Step,
  type Transfer,
} from './tables.harness'
import { Notices } from './notices.harness'
import { isOf, isReport } from './reports.harness'
import { isOfMerchant, type Worker } from './worker.harness'

/**
 * Says what is broken, by the invariants of the ledger. It believes the provider's book and the raw messages, and none
 * of the rules that the ledger under it decides by.
 */
export class Oracle {
  private readonly ledger: SimulatedLedger
  private readonly book: ProviderBook
  private readonly worker: Worker
  private steps = 0
  private transfers = 0
  private applied = 0
  private prompts = 0
  private readonly credited = new Map<number, bigint>()
  /** What each attempt may ask its payer for, whatever the setting becomes later. */
  private readonly asked = new Map<number, bigint>()
  private readonly firstAnswers = new Map<number, number>()
  private readonly completed = new Set<number>()
  private readonly notices = new Notices()
  /** When an intent was first reported as paid, by a message that is worth something, and was not posted for it. */
  private readonly reported = new Map<number, Moment>()
  private broken: string | undefined

  constructor(ledger: SimulatedLedger, book: ProviderBook, worker: Worker) {
    this.ledger = ledger
    this.book = book
    this.worker = worker
  }

  private expect(what: string, holds: boolean): void {
    if (!holds) this.broken ??= what
  }

  /** One key is one attempt for ever, and one phone five prompts an hour. */
  answered(wish: Asked, { outcome, intentId }: Started): void {
    const { checkoutId, key, phone } = wish
    if (intentId === undefined) return
    const scoped = checkoutId * 100 + key
    const first = this.firstAnswers.get(scoped)
    this.expect('one key is one attempt', first === undefined || first === intentId)
    this.firstAnswers.set(scoped, intentId)
    if (outcome !== 'started') return
    this.asked.set(intentId, this.dueNow(checkoutId))
    const recent = this.ledger.intents.filter(
      (intent) => intent.reference !== undefined && intent.createdAt > this.ledger.now - hour,
    )
    const ofPhone = recent.filter((intent) => intent.phone === phone).length
    this.expect('no phone has more than five prompts in an hour', ofPhone <= 5)
    const ofCheckout = recent.filter((intent) => intent.checkoutId === checkoutId).length
    this.expect('no checkout has more than twenty prompts in an hour', ofCheckout <= 20)
  }

  /** What the payer of a checkout is asked for when an attempt begins now. */
  private dueNow(checkoutId: number): bigint {
    const amount = this.ledger.checkouts[checkoutId]?.amountMinor ?? 0n
    return this.ledger.isWholeShillings ? roundedUp(amount) : amount
  }

  /** What must be true at every moment. Looks only at what is new, where that is enough. */
  check(): string | undefined {
    const { steps, transfers, applied, intents } = this.ledger
    for (const step of steps.slice(this.steps)) this.checkStep(step)
    this.steps = steps.length
    for (const transfer of transfers.slice(this.transfers)) this.checkTransfer(transfer)
    this.transfers = transfers.length
    for (const message of applied.slice(this.applied)) this.checkApplied(message)
    this.applied = applied.length
    for (const { intentId, amountMinor } of this.book.prompts.slice(this.prompts)) {
      const isAsAgreed = amountMinor === this.asked.get(intentId)
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
      this.expect('no reported payment fails', !this.reported.has(intentId))
      this.expect('an intent fails only by a denial that counts', this.isDeclineFair(intent, order))
    } else if (event === 'refused') {
      const prompt = this.book.promptOf(intentId)
      this.expect('what the provider took is not refused', prompt === undefined)
    } else if (event === 'lapsed') {
      const isSent = intent.submittedAt !== never
      const since = isSent ? intent.submittedAt + deadlines[intent.rail] : intent.createdAt + 60
      this.expect('nothing expires before its time', this.ledger.now >= since)
      const reportedAt = this.reported.get(intentId) ?? -never
      this.expect(
        'a reported payment is pending for its hold',
        this.ledger.now >= reportedAt + reportHold,
      )
    }
  }

  /** The payer really refused; or two answers agreed, far enough apart; or one bore out what we were told. */
  private isDeclineFair(intent: Intent, order: number): boolean {
    const told = this.ledger.applied.filter(
      (message) => message.intentId === intent.id && message.order < order,
    )
    const heardPaid = told.some(
      ({ kind, said }) =>
        kind === 'query_answer' && said.kind === 'paid' && said.requestId === intent.requestId,
    )
    if (heardPaid) return false
    const state = this.book.promptOf(intent.id)?.state
    if (state === 'declined') return true
    const saidNo = told.filter(({ said }) => said.kind === 'declined' && isOf(intent, said))
    if (saidNo.some(({ kind, isSourceKnown }) => kind === 'callback' && isSourceKnown)) return true
    const noes = saidNo.filter(({ kind }) => kind === 'query_answer')
    const isHinted = told.some(({ kind, said }) => kind === 'hint' && said.kind === 'declined')
    if (isHinted && noes.length > 0) return true
    return noes.some((one) =>
      noes.some(
        (other) =>
          one.said.code === other.said.code &&
          one.receivedAt >= intent.submittedAt + 60 &&
          other.receivedAt >= one.receivedAt + 15,
      ),
    )
  }

  /** What is certain is posted when it is applied: no other message needs to come. */
  private checkApplied(message: Message): void {
    const { intentId, kind, said } = message
    this.noteReport(message)
    const prompt = this.book.promptOf(intentId ?? -1)
    if (prompt === undefined || said.kind !== 'receipt') return
    const isCertain = kind === 'statement_row' || this.isEnough(message, prompt)
    if (!isCertain) return
    const isPosted = this.ledger.transfers.some(({ receipt }) => receipt === said.receipt)
    this.expect('what is certain is posted', isPosted)
  }

  /** A callback that is right in everything is enough for what the operator has credited so. */
  private isEnough({ kind, said, isSourceKnown }: Message, prompt: Prompt): boolean {
    const { rail, requestId, amountMinor } = prompt
    const isWhole = isSourceKnown && said.requestId === requestId && said.minor === amountMinor
    const isSmall = amountMinor <= this.ledger.unconfirmedMaxMinor
    return kind === 'callback' && rail === 'mpesa' && isWhole && isSmall
  }

  private noteReport(message: Message): void {
    const intent = this.ledger.intents[message.intentId ?? -1]
    if (intent === undefined || intent.settled !== undefined) return
    // Before it was sent there was nothing to pay.
    const isSent = this.ledger.steps.some(
      ({ intentId, event, order }) =>
        intentId === intent.id && event === 'submitted' && order < message.order,
    )
    if (!isSent) return
    const isPosted = this.ledger.transfers.some(({ receipt }) => receipt === message.said.receipt)
    const asked = this.asked.get(intent.id) ?? intent.amountMinor
    if (isPosted || this.reported.has(intent.id) || !isReport(intent, message, asked)) return
    this.reported.set(intent.id, this.ledger.now)
  }

  private checkTransfer(transfer: Transfer): void {
    const { receipt, debit, credit, minor, checkoutId } = transfer
    const movement = this.book.findMovement(receipt)
    if (movement === undefined) {
      this.expect('no money is invented', false)
      return
    }
    this.expect('money is posted in full', movement.minor === minor)
    this.expect('money is given to whose it is', movement.checkoutId === checkoutId)
    this.expect('float grows where the money lies', debit === floatOf(movement))
    const twice = this.ledger.transfers.filter((other) => other.receipt === receipt).length > 1
    this.expect('no receipt is posted twice', !twice)
    const isMerchants = isOfMerchant(credit)
    this.expect('the credit side is as agreed', credit === this.creditOf(movement))
    if (isMerchants && checkoutId !== undefined) {
      this.credited.set(checkoutId, (this.credited.get(checkoutId) ?? 0n) + minor)
    }
  }

  /** The order of the design: paid already, another amount, no wallet that can take it, the merchant. */
  private creditOf({ checkoutId, minor, account }: Movement): string {
    const checkout = this.ledger.checkouts[checkoutId ?? -1]
    if (checkout === undefined) return 'suspense:unmatched'
    if (this.credited.has(checkout.id)) return 'suspense:duplicate'
    const attempt = this.ledger.intents.find(({ reference }) => reference === account)
    const asked = this.asked.get(attempt?.id ?? -1) ?? this.dueNow(checkout.id)
    if (asked !== minor) return 'suspense:mismatch'
    return checkout.isFrozen ? 'suspense:unmatched' : `wallet:${checkout.accountId}`
  }

  private checkCheckouts(): void {
    for (const { id, amountMinor, expiresAt } of this.ledger.checkouts) {
      const flights = this.ledger.intents.filter(
        (intent) => intent.checkoutId === id && intent.endedAt === never,
      ).length
      this.expect('a checkout has at most one attempt in flight', flights <= 1)
      const credited = this.credited.get(id)
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

  /**
   * After three days of asking: whatever could be found by asking was found. A denied intent is asked about no more,
   * nor is one that other money has completed: what they still have coming is for the statement to show.
   */
  checkWatch(): string | undefined {
    for (const { intentId, receipt } of this.book.movements) {
      const intent = this.ledger.intents[intentId ?? -1]
      const isSeen = this.ledger.transfers.some((transfer) => transfer.receipt === receipt)
      const isWatched =
        intent !== undefined &&
        intent.settled === undefined &&
        (this.reported.has(intent.id) || !this.isDenied(intent))
      if (isWatched) this.expect('late money is found by asking', isSeen)
    }
    return this.broken
  }

  private isDenied(intent: Intent): boolean {
    return (
      intent.status === 'failed' ||
      this.ledger.messages.some(
        ({ intentId, said }) => intentId === intent.id && said.kind === 'declined',
      )
    )
  }

  /** When all is over: the books agree receipt by receipt, and no intent waits. */
  checkEnd(): string | undefined {
    const { transfers, messages, intents, suspense } = this.ledger
    for (const { receipt } of this.book.movements) {
      const isPosted = transfers.some((transfer) => transfer.receipt === receipt)
      this.expect('money that came is posted', isPosted)
    }
    for (const intent of intents) {
      this.expect('no intent waits for ever', intent.endedAt !== never)
      const money = transfers.filter(({ receipt }) => receipt === intent.settled?.receipt)
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
    const held = transfers.filter(({ credit }) => !isOfMerchant(credit))
    this.expect('suspense holds its items', sum(held) === sum(suspense))
    return this.broken
  }
}

function sum(items: readonly { readonly minor: bigint }[]): bigint {
  return items.reduce((total, { minor }) => total + minor, 0n)
}
