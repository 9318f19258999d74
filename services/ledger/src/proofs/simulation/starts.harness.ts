import type { MobileRail } from '@malipo/kernel/countries'
import type { Minor } from '@malipo/kernel/money'
import {
  decideStart,
  type StartDecided,
  type BoundKey,
  type CheckoutState,
  type EarlierAttempt,
  type NewAttempt,
} from '../../intents/rules/decide-start'
import { decideStartCard } from '../../cards/rules/decide-start-card'
import { decideStartHandle, type HandleState } from '../../handles/rules/decide-start-handle'
import { cardTimes, times } from './core.harness'
import {
  type StartInput,
  type Checkout,
  type Intent,
  micro,
  nameOfKey,
  ofHandle,
  Tables,
} from './tables.harness'

type Answer =
  | ReturnType<typeof decideStart>['answer']
  | ReturnType<typeof decideStartCard>['answer']
  | ReturnType<typeof decideStartHandle>['answer']
export type StartOutcome = Answer['outcome']

export interface Started {
  readonly outcome: StartOutcome
  readonly intentId?: number
}

interface NewOfCheckout {
  readonly attempt: NewAttempt
  /** Undefined for a payment to a handle. */
  readonly checkout: Checkout | undefined
}

/** The handle of the account of the first checkout. */
export const handleName = 'SHOP'
const hour = 3_600

/** Begins attempts, as StartIntent, StartCardIntent and StartHandleIntent do. */
export class Starts extends Tables {
  start(request: StartInput): Started {
    const { answer, write } = this.decideStarting(request)
    if (write?.attempt !== undefined) this.begin(request, write.attempt)
    const intent = this.intents.find(({ id }) => String(id) === write?.boundTo)
    if (intent !== undefined) this.bind(nameOfKey(request), request, intent)
    const { outcome } = answer
    return 'intent' in answer ? { outcome, intentId: +answer.intent.intentId } : { outcome }
  }

  private decideStarting(request: StartInput): StartDecided<Answer> {
    const { rail } = request
    if (rail === 'card') return this.decideByCard(request)
    return request.checkoutId === ofHandle
      ? this.decideToHandle(request, rail)
      : this.decideByPhone(request, rail)
  }

  private decideByPhone(request: StartInput, rail: MobileRail) {
    const checkout = this.checkouts[request.checkoutId]
    const phonePrompts = this.promptMoments(request.phone)
    const state = checkout && { ...this.startable(checkout, request), phonePrompts }
    return decideStart(state ?? 'unknown', this.requestOf(request, rail), {
      startSeconds: times.intentStart,
    })
  }

  private decideByCard(request: StartInput) {
    const checkout = this.checkouts[request.checkoutId]
    const startable = checkout && this.startable(checkout, request)
    const page = this.intents[+(startable?.bound?.intentId ?? -1)]?.page
    const state = startable && {
      ...startable,
      cardEnabled: checkout.takesCards,
      page: page && { ...page, expiresAt: page.expiresAt * micro, opened: undefined },
    }
    const intentId = String(this.intents.length)
    return decideStartCard(
      state ?? 'unknown',
      { intentId, phone: undefined, sealedPayer: undefined },
      { ...cardTimes, cardFeeBps: cardTimes.feeBps, startSeconds: times.intentStart },
    )
  }

  private decideToHandle(input: StartInput, rail: MobileRail) {
    const payee = this.payeeOf(ofHandle)
    const request = {
      ...this.requestOf(input, rail),
      payee: { accountId: payee?.accountId ?? '', handle: handleName },
      amountMinor: input.amountMinor ?? 0n,
      isWithinLimits: true,
    }
    return decideStartHandle(payee ? this.payable(payee, input) : 'unknown', request, {
      startSeconds: times.intentStart,
    })
  }

  private payable({ isFrozen }: Checkout, request: StartInput): HandleState {
    const bound = this.boundTo(request)
    const intent = this.intents[+(bound?.intentId ?? -1)]
    return {
      now: this.now * micro,
      wallet: isFrozen ? 'frozen' : 'open',
      bound: bound && intent && { intent: earlier(intent), isSameInput: bound.isSameInput },
      phonePrompts: this.promptMoments(request.phone),
    }
  }

  private requestOf({ phone }: StartInput, rail: MobileRail) {
    return {
      intentId: String(this.intents.length),
      rail,
      phone: String(phone),
      callbackSecret: '',
      attemptReference: `M${String(this.intents.length)}`,
      wholeMajorsOnly: this.isWholeShillings && rail === 'mpesa',
    }
  }

  private begin(request: StartInput, attempt: NewAttempt): void {
    const { page } = attempt
    const intent = this.add(
      {
        ...request,
        amountMinor: attempt.amountMinor,
        askedMinor: this.agreed({ attempt, checkout: this.checkouts[request.checkoutId] }),
        reference: attempt.attemptReference ?? undefined,
        page: page && {
          feeMinor: page.feeMinor,
          expiresAt: page.expiresAt / micro,
          sessionId: undefined,
        },
      },
      'accepted',
    )
    intent.deadlineAt = attempt.deadlineAt / micro
    intent.nextActionAt = attempt.nextActionAt / micro
    this.move(intent, 'reserved')
  }

  /** The amount that the payer of a new attempt is asked for. */
  protected agreed({ attempt }: NewOfCheckout): Minor {
    return attempt.askedMinor
  }

  protected bind(name: string, request: StartInput, intent: Intent): void {
    this.keys.set(name, { request, intentId: intent.id })
  }

  private boundTo(request: StartInput): BoundKey | undefined {
    const bound = this.keys.get(nameOfKey(request))
    if (bound === undefined) return undefined
    const { rail, phone, amountMinor } = bound.request
    const isSameInput =
      rail === request.rail && phone === request.phone && amountMinor === request.amountMinor
    return { intentId: String(bound.intentId), isSameInput }
  }

  private startable(checkout: Checkout, request: StartInput): CheckoutState {
    return {
      now: this.now * micro,
      checkoutId: String(checkout.id),
      amountMinor: checkout.amountMinor,
      expiresAt: checkout.expiresAt * micro,
      wallet: checkout.isFrozen ? 'frozen' : 'open',
      bound: this.boundTo(request),
      attempts: this.attemptsOf(checkout.id),
    }
  }

  private attemptsOf(checkoutId: number): EarlierAttempt[] {
    const flying = this.inFlight(checkoutId)
    return this.intents.flatMap((intent) =>
      intent.checkoutId === checkoutId ? [{ ...earlier(intent), isOver: intent !== flying }] : [],
    )
  }

  private promptMoments(phone: number): readonly number[] {
    return this.phonePrompts(phone).map(({ createdAt }) => createdAt * micro)
  }

  /** Returns the prompts of a phone in the last hour. */
  protected phonePrompts(phone: number): readonly Intent[] {
    return this.intents.filter(
      (intent) =>
        intent.phone === phone &&
        intent.reference !== undefined &&
        intent.createdAt > this.now - hour,
    )
  }
}

function earlier(intent: Intent): Omit<EarlierAttempt, 'isOver'> {
  return {
    intentId: String(intent.id),
    status: intent.status,
    rail: intent.rail,
    amountMinor: intent.amountMinor,
    settledMinor: intent.settled?.minor ?? null,
    createdAt: intent.createdAt * micro,
    isPrompt: intent.reference !== undefined,
    isPaid: intent.settled?.disposition === 'merchant',
  }
}
