import type { MobileRail, Rail } from '@malipo/kernel/countries'
import { conflict } from '@malipo/kernel/machine'
import type { Minor } from '@malipo/kernel/money'
import type { EvidenceResult, FactKind, MessageKind } from '../../evidence/rules/evidence'
import type { Instant, SuspenseItem } from '../../evidence/rules/state'
import type { IntentEvent, IntentStatus } from '../../intents/rules/intent'
import type { PaymentEvent } from '../../webhooks/rules/payment-event'
import type { Disposition } from '../../journal/rules/postings'
import type { Core } from './core.harness'

/** A moment in seconds since the world began; `never` stands for an empty column. */
export type Moment = number
export const never = Infinity
/** The checkout number of a payment to the handle, which belongs to the account of the first checkout. */
export const ofHandle = -1
/** The deciders count in microseconds. */
export const micro = 1_000_000

export interface Checkout {
  readonly id: number
  readonly accountId: string
  readonly payBillNumber: string
  readonly amountMinor: Minor
  readonly expiresAt: Moment
  /** Whether its account takes cards. */
  readonly takesCards: boolean
  isFrozen: boolean
}

export interface Intent {
  readonly id: number
  /** `ofHandle` for a payment to the handle. */
  readonly checkoutId: number
  readonly rail: Rail
  /** Less than 0 where the payer gave none. */
  readonly phone: number
  readonly amountMinor: Minor
  /** The amount that the payer is asked for. */
  readonly askedMinor: Minor
  readonly createdAt: Moment
  /** Undefined for a card, and for an attempt that began with its money. */
  readonly reference: string | undefined
  /** The card page; undefined for another rail, and for an attempt that began with its money. */
  readonly page: Page | undefined
  status: IntentStatus
  submittedAt: Moment
  isCallEnded: boolean
  acceptedAt: Moment
  endedAt: Moment
  deadlineAt: Moment
  nextActionAt: Moment
  queryAt: Moment
  askedAt: Moment
  queuedAt: Moment
  requestId: number | undefined
  callbackRequestId: number | undefined
  isReceiptWanted: boolean
  deniedCode: string | undefined
  deniedAt: Moment
  settled: Settled | undefined
  /** When the first report of payment came that the journal does not confirm. */
  reportedAt: Moment
}

/** Returns the provider's id of the prompt, as far as it is known. */
export function requestIdOf({ requestId, callbackRequestId }: Intent): number | undefined {
  return requestId ?? callbackRequestId
}

/** A row of card_sessions. */
export interface Page {
  readonly feeMinor: Minor
  readonly expiresAt: Moment
  sessionId: number | undefined
}

export interface Settled {
  readonly receipt: string
  readonly minor: Minor
  readonly disposition: Disposition
}

/** The content of a message body, as its reader reports it. Two copies of one body are the same object. */
export interface Reported {
  readonly kind: Exclude<FactKind, 'declined_after_paid'>
  readonly receipt?: string
  readonly minor?: Minor
  readonly requestId?: number
  readonly code?: number
  /** For money from the Pay Bill menu: what the payer typed, and whether our answer to the validation came back. */
  readonly account?: string
  readonly isSigned?: boolean
}

export interface Message {
  readonly id: number
  /** Undefined for money that no prompt asked for. */
  readonly intentId: number | undefined
  readonly kind: MessageKind
  readonly reported: Reported
  readonly isSourceKnown: boolean
  readonly receivedAt: Moment
  nextActionAt: Moment
  claims: number
  fact: FactKind | undefined
  result: EvidenceResult | undefined
  /** The message's place in the common order of applied messages and steps. */
  order: number
}

export interface Transfer {
  readonly receipt: string
  readonly leg: number
  readonly debit: string
  readonly credit: string
  readonly minor: Minor
  /** The checkout that the money was posted for. */
  readonly checkoutId: number | undefined
  /** The column event_at. */
  readonly eventAt: Instant
}

export interface Step {
  readonly intentId: number
  readonly from: IntentStatus | 'none'
  readonly event: IntentEvent | 'accepted' | 'matched'
  readonly to: IntentStatus
  readonly order: number
  readonly at: Moment
}

export interface StartInput {
  /** `ofHandle` to pay the handle. */
  readonly checkoutId: number
  readonly key: number
  readonly rail: MobileRail | 'card'
  /** Less than 0 by card. */
  readonly phone: number
  /** The amount, which the payer of a handle chooses. */
  readonly amountMinor?: Minor
}

/** A key is one attempt within its scope: prompts, cards and handles each have their own. */
export function nameOfKey({ checkoutId, key, rail }: StartInput): string {
  return `${rail === 'card' ? 'card' : 'pay'} ${String(checkoutId)} ${String(key)}`
}

export interface Event {
  readonly type: PaymentEvent
  readonly checkoutId: number
}

/** The tables of the ledger, with what their triggers enforce. */
export class Tables {
  now: Moment = 0
  readonly checkouts: Checkout[] = []
  readonly intents: Intent[] = []
  readonly messages: Message[] = []
  readonly transfers: Transfer[] = []
  readonly suspense: SuspenseItem[] = []
  readonly posted = new Set<string>()
  /** Idempotency keys by `nameOfKey`. */
  readonly keys = new Map<string, { readonly request: StartInput; readonly intentId: number }>()
  readonly steps: Step[] = []
  /** The rows of webhook_events. */
  readonly events: Event[] = []
  /** The messages that were applied, in order. */
  readonly applied: Message[] = []
  /** The setting of the operator: M-Pesa asks for whole shillings. */
  isWholeShillings = false
  /** The setting of the operator: what a callback alone is credited for. */
  unconfirmedMaxMinor: Minor = 0n
  protected order = 0
  protected readonly core: Core
  /** The first write of the ledger that the database would refuse, or that its audit would find. */
  refusal: string | undefined

  constructor(core: Core) {
    this.core = core
  }

  pass(seconds: number): void {
    this.now += seconds
  }

  /** Returns the checkout whose account's wallet is paid. */
  protected payeeOf(checkoutId: number): Checkout | undefined {
    return this.checkouts[checkoutId === ofHandle ? 0 : checkoutId]
  }

  /** Whether a checkout is paid. A payment to the handle completes none. */
  isPaid(checkoutId: number): boolean {
    if (checkoutId === ofHandle) return false
    return this.intents.some(
      (intent) => intent.checkoutId === checkoutId && intent.settled?.disposition === 'merchant',
    )
  }

  /** Returns the amount that a rail asks for, by the setting of whole shillings. */
  protected requestedMinorOf({ amountMinor }: Pick<Checkout, 'amountMinor'>, rail: Rail): Minor {
    const isMpesa = this.core.providerOf[rail] === 'mpesa'
    return isMpesa && this.isWholeShillings ? this.core.wholeMajorUp(amountMinor) : amountMinor
  }

  inFlight(checkoutId: number): Intent | undefined {
    return this.intents.find(
      (intent) => intent.checkoutId === checkoutId && intent.endedAt === never,
    )
  }

  /** Adds an intent, whose other columns are empty. */
  protected add(
    added: Pick<
      Intent,
      'checkoutId' | 'rail' | 'phone' | 'amountMinor' | 'askedMinor' | 'reference'
    > &
      Partial<Pick<Intent, 'page'>>,
    event: 'accepted' | 'matched',
    settled?: Settled,
  ): Intent {
    const intent: Intent = {
      id: this.intents.length,
      checkoutId: added.checkoutId,
      rail: added.rail,
      phone: added.phone,
      amountMinor: added.amountMinor,
      askedMinor: added.askedMinor,
      reference: added.reference,
      page: added.page,
      createdAt: this.now,
      status: this.core.initialStates[event],
      submittedAt: never,
      isCallEnded: false,
      acceptedAt: never,
      endedAt: settled === undefined ? never : this.now,
      deadlineAt: never,
      nextActionAt: never,
      queryAt: never,
      askedAt: -never,
      queuedAt: never,
      requestId: undefined,
      callbackRequestId: undefined,
      isReceiptWanted: false,
      deniedCode: undefined,
      deniedAt: never,
      settled,
      reportedAt: never,
    }
    this.intents.push(intent)
    this.log(intent, 'none', event)
    return intent
  }

  /** Moves an intent by the table, which the audit checks. The trigger checks that its columns go with its status. */
  protected move(intent: Intent, event: IntentEvent): void {
    const from = intent.status
    const to = this.core.intent[from][event]
    if (to === conflict) {
      this.refusal ??= `an intent that is ${from} does not move by ${event}`
      return
    }
    intent.status = to
    if (from !== to) this.log(intent, from, event)
    if (!isSound(intent)) this.refusal ??= `the columns of an intent do not go with ${to}`
  }

  private log({ id: intentId, status: to }: Intent, from: Step['from'], event: Step['event']) {
    this.order += 1
    this.steps.push({ intentId, from, event, to, order: this.order, at: this.now })
  }

  /** Ends an intent without money. Nothing acts on it any more, but for a query at `watchAt`. */
  protected end(intent: Intent, event: IntentEvent, watchAt: Moment = never): void {
    intent.endedAt = this.now
    intent.deadlineAt = never
    intent.nextActionAt = watchAt
    intent.queryAt = watchAt
    this.move(intent, event)
  }
}

function isSound({ status, settled, endedAt, deadlineAt }: Intent): boolean {
  const hasMoney = status === 'completed' || status === 'reversed'
  const hasEnded = hasMoney || status === 'failed' || status === 'expired'
  const fits = [
    (settled !== undefined) === hasMoney,
    (endedAt !== never) === hasEnded,
    (deadlineAt === never) === hasEnded,
  ]
  return !fits.includes(false)
}
