import type { Core } from './core.harness'
import { lastQuery } from './design.harness'
import type { Received } from './inbox.harness'
import { SimulatedLedger } from './ledger.harness'
import { Oracle } from './oracle.harness'
import { byCard, byPhone, fromMenu, toHandle, wordsOf } from './payers.harness'
import {
  type Prompt,
  ProviderBook,
  reportedDeclined,
  asReported,
  reportedPaid,
  reportedToPayBill,
} from './provider.harness'
import type { StartInput, Intent, Reported } from './tables.harness'
import type { PlantedRule } from './rules.harness'
import { type Action, checkoutsOf, leaps, type Setting } from './setting.harness'
import { forgedInside, received } from './forged.harness'
import { watching } from './watch.harness'
import { Worker } from './worker.harness'

/** The rules and, for a mutant, the rules that it changes, or its ledger instead of the sound one. */
export interface Species {
  readonly core: Core
  readonly rules?: readonly PlantedRule[]
  readonly Ledger: new (core: Core) => SimulatedLedger
}

/** Payers, a provider, a gateway, a worker, an attacker and a clock around one ledger, in any order. */
export class World {
  readonly ledger: SimulatedLedger
  readonly book = new ProviderBook()
  readonly worker: Worker
  readonly oracle: Oracle
  readonly setting: Setting
  private readonly trace: ((line: string) => void) | undefined
  /** What is on its way to us, and what was stored and waits for its job. */
  readonly air: Received[] = []
  readonly unread: number[] = []

  constructor(species: Species, setting: Setting, trace?: (line: string) => void) {
    this.setting = setting
    this.trace = trace
    this.ledger = new species.Ledger(species.core)
    this.ledger.isWholeShillings = setting.isWholeShillings
    this.ledger.unconfirmedMaxMinor = setting.unconfirmedMaxMinor
    const { provider: trait } = setting
    this.worker = new Worker({ ledger: this.ledger, book: this.book, trace, trait })
    this.oracle = new Oracle(this.ledger, this.book, this.worker)
    this.ledger.checkouts.push(...checkoutsOf(setting))
  }

  /** Carries out an action. Returns what is broken by now, if anything. */
  act({ name, which, dice }: Action): string | undefined {
    this[name](which, dice)
    return this.oracle.check()
  }

  private pay(which: number, dice: number): void {
    this.start(byPhone(this.setting, which, dice))
  }

  private payByCard(which: number, dice: number): void {
    this.start(byCard(this.setting, which, dice))
  }

  private payHandle(which: number, dice: number): void {
    this.start(toHandle(this.setting, which, dice))
  }

  private start(request: StartInput): void {
    const started = this.ledger.start(request)
    const { outcome, intentId = '' } = started
    this.trace?.(`a payer pays ${wordsOf(request)}: ${outcome} ${String(intentId)}`)
    this.oracle.answered(request, started)
  }

  private submit(which: number, dice: number): void {
    const attempts = this.ledger.intents.length
    if (attempts === 0) return
    const isNewest = which % 4 !== 0
    this.worker.submit(isNewest ? attempts - 1 : (which >> 2) % attempts, dice)
  }

  private record(which: number, dice: number): void {
    const { length } = this.worker.calls
    if (length > 0) this.worker.finish(which % length, dice % 4 === 0)
  }

  private approve(which: number, dice: number): void {
    const open = this.payable()
    const prompt = open[which % open.length]
    if (prompt === undefined) return
    const { intentId, amountMinor, requestId, rail } = prompt
    const { checkoutId } = this.worker.attempt(intentId)
    // Airtel reports no amount, so nothing could tell the ledger that the payer paid another amount.
    const isOdd = dice % 16 === 0 && rail !== 'airtel_money'
    const paid = isOdd ? this.anotherAmount(prompt, checkoutId, dice >> 4) : amountMinor
    const movement = this.book.take(prompt, paid, checkoutId)
    const { receipt, minor } = movement
    this.trace?.(`the payer approves attempt ${String(intentId)}: ${receipt} of ${String(minor)}`)
    this.send(intentId, asReported(prompt, reportedPaid(movement, requestId)), dice >> 4)
    if (rail === 'mpesa' && (dice >> 8) % 4 === 0) {
      this.air.push(received(undefined, 'callback', reportedToPayBill(movement)))
    }
  }

  /** Prompts that can be paid. A payer whose card was declined may pay by another one. */
  payable(): readonly Prompt[] {
    return this.book.prompts.filter(
      ({ state, rail }) => state === 'open' || (rail === 'card' && state === 'declined'),
    )
  }

  /** A payer leaves a card page. Either the card gateway reports this, or only the payer's browser does. */
  private leave(which: number, dice: number): void {
    const pages = this.book.prompts.filter(({ rail }) => rail === 'card')
    const page = pages[which % pages.length]
    if (page === undefined) return
    const isSourceKnown = dice % 2 === 0 && page.state !== 'paid'
    this.trace?.(`the payer of attempt ${String(page.intentId)} leaves the page`)
    const left = received(page.intentId, 'callback', { kind: 'declined', code: 9 })
    this.air.push({ ...left, isSourceKnown })
  }

  /** Returns a shilling less than asked or, where whole shillings were asked for, the exact price with its cents. */
  private anotherAmount({ amountMinor }: Prompt, checkoutId: number, dice: number): bigint {
    const price = this.ledger.checkouts[checkoutId]?.amountMinor ?? amountMinor
    return price === amountMinor || dice % 2 === 0 ? amountMinor - 100n : price
  }

  private refuse(which: number, dice: number): void {
    const answer = this.refusable()
    const prompt = answer[which % answer.length]
    if (prompt === undefined) return
    this.trace?.(`the provider says no to the ${prompt.state} attempt ${String(prompt.intentId)}`)
    if (prompt.state === 'open') {
      prompt.state = 'declined'
      prompt.code = 1 + (dice % 3)
    }
    this.send(prompt.intentId, asReported(prompt, reportedDeclined(prompt)), dice >> 4)
  }

  /** Prompts that can be refused. Some providers report a refusal even after a payment. */
  refusable(): readonly Prompt[] {
    const isContrary = this.setting.provider === 'contradicts'
    return this.book.prompts.filter(
      ({ state }) => state === 'open' || (isContrary && state === 'paid'),
    )
  }

  /** The provider sends a right callback, a wrong one, or none. */
  private send(intentId: number, reported: Reported, dice: number): void {
    const garbled = [
      reported,
      reported,
      // No prompt has this id, and no garbled callback of another intent has it.
      { ...reported, requestId: -2 - intentId },
      reported.minor === undefined ? reported : { ...reported, minor: reported.minor + 700n },
    ]
    const spoken = garbled[(dice >> 2) % 4] ?? reported
    if (dice % 4 !== 0) this.air.push(received(intentId, 'callback', spoken))
  }

  private deliver(which: number, dice: number): void {
    const { length } = this.air
    const message = this.air[which % length]
    if (message === undefined) return
    if (dice % 4 !== 0) this.air.splice(which % length, 1)
    const isKnown = message.isSourceKnown && (dice >> 2) % 8 !== 0
    const { id } = this.ledger.receive({ ...message, isSourceKnown: isKnown })
    this.trace?.(
      `${message.reported.kind} ${message.reported.receipt ?? ''} is stored as message ${String(id)}` +
        (isKnown ? '' : ', from an unknown address'),
    )
    // If the job is lost, the sweep finds it.
    if ((dice >> 5) % 4 !== 0) this.unread.push(id)
  }

  private lose(which: number): void {
    if (this.air.length > 0) this.air.splice(which % this.air.length, 1)
  }

  private read(which: number, dice: number): void {
    const { length } = this.unread
    const messageId = this.unread[which % length]
    if (messageId === undefined) return
    if (dice % 4 !== 0) this.unread.splice(which % length, 1)
    this.worker.read(messageId)
  }

  private sweep(which: number, dice: number): void {
    this.worker.sweep(1 + (which % 4), dice)
  }

  private pass(which: number): void {
    const seconds = leaps[which % leaps.length] ?? 1
    this.trace?.(`${String(seconds)} s pass`)
    this.ledger.pass(seconds)
  }

  private expire(): void {
    const expired = this.ledger.expireOverdue()
    if (expired > 0) this.trace?.(`${String(expired)} attempts expire`)
  }

  private forge(which: number, dice: number): void {
    const intent = this.ledger.intents[which % this.ledger.intents.length]
    if (intent === undefined || (intent.reference ?? intent.page) === undefined) return
    const prompt = this.book.promptOf(intent.id)
    if ((dice >> 6) % 2 === 0) this.forgeOutside(intent, prompt, dice)
    else this.air.push(...forgedInside(intent, prompt, this))
  }

  /** A forger knows the secret address, the amount and perhaps the request, but has no source on M-Pesa's list. */
  private forgeOutside(intent: Intent, prompt: Prompt | undefined, dice: number): void {
    const requestId = dice % 2 === 0 && (dice >> 4) % 2 === 0 ? (prompt?.requestId ?? -1) : -1
    const seen = this.book.movements[(dice >> 1) % (this.book.movements.length + 1)]
    const reported: Reported =
      (dice >> 4) % 2 === 0
        ? { kind: 'declined', code: 7, requestId }
        : { kind: 'receipt', receipt: seen?.receipt ?? 'F0', minor: intent.askedMinor, requestId }
    this.trace?.(`an attacker forges ${reported.kind} of attempt ${String(intent.id)}`)
    // For providers that publish no addresses one address is as good as another; a card gateway shows a secret.
    const isSourceKnown = intent.rail !== 'mpesa' && intent.rail !== 'card'
    this.air.push({ ...received(intent.id, 'callback', reported), isSourceKnown })
  }

  private payBill(which: number, dice: number): void {
    if (this.setting.country !== 'ke') return
    const typed = fromMenu(this.ledger, this.setting, [which, dice])
    if (typed === undefined) return
    const movement = this.book.move(typed)
    const { minor, account } = movement
    this.trace?.(`a payer pays ${String(minor)} to account ${account}: ${movement.receipt}`)
    const isSigned = (dice >> 4) % 8 !== 0
    if ((dice >> 7) % 4 !== 0) {
      this.air.push(received(undefined, 'callback', { ...reportedToPayBill(movement), isSigned }))
    }
  }

  private freeze(which: number): void {
    const checkout = this.ledger.checkouts[which % this.setting.checkouts]
    if (checkout === undefined) return
    checkout.isFrozen = !checkout.isFrozen
    this.trace?.(
      `the wallet of checkout ${String(checkout.id)} is ${checkout.isFrozen ? 'frozen' : 'open'}`,
    )
  }

  /** The operator switches whole shillings of M-Pesa on or off. */
  private reset(): void {
    this.ledger.isWholeShillings = !this.ledger.isWholeShillings
    this.trace?.(
      `M-Pesa asks for ${this.ledger.isWholeShillings ? 'whole shillings' : 'cents too'}`,
    )
  }

  /** Nothing new happens, nothing fails any more, and time passes: everything has to come to its end. */
  heal(): string | undefined {
    const unwatched = this.healFor(watching) ?? this.oracle.checkWatch()
    if (unwatched !== undefined) return unwatched
    this.ledger.pass(lastQuery)
    this.worker.sweep(100, 0)
    this.oracle.checkLastQuery()
    this.reconcile()
    return this.oracle.check() ?? this.oracle.checkEnd()
  }

  /** Lets the given times pass, in seconds, while nothing new happens and nothing fails. */
  healFor(passes: readonly number[]): string | undefined {
    this.trace?.('from here on nothing fails')
    this.worker.hurry()
    for (const prompt of this.book.prompts)
      prompt.state = prompt.state === 'paid' ? 'paid' : 'declined'
    for (const seconds of passes) {
      this.ledger.pass(seconds)
      this.ledger.expireOverdue()
      this.worker.sweep(100, 0)
    }
    return this.oracle.check()
  }

  /** The provider's statement is read: it has everything that it moved. */
  reconcile(): void {
    for (const movement of this.book.movements) {
      const { intentId } = movement
      const reported = intentId === undefined ? reportedToPayBill(movement) : reportedPaid(movement)
      this.worker.read(this.ledger.receive(received(intentId, 'statement_row', reported)).id)
    }
  }
}
