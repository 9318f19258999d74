import type { Minor } from '@malipo/kernel/money'
import { decideStart, type StartState } from '../start/decide-start'
import type { EarlierAttempt, NewAttempt } from '../start/state'
import { times } from './core.harness'
import { type Asked, type Checkout, type Intent, micro, Tables } from './tables.harness'

export type StartOutcome = ReturnType<typeof decideStart>['answer']['outcome']

export interface Started {
  readonly outcome: StartOutcome
  readonly intentId?: number
}

interface NewOfCheckout {
  readonly attempt: NewAttempt
  readonly checkout: Checkout
}

const keysPerCheckout = 16
const hour = 3_600

/** A payer's wish: what StartIntent does. */
export class Starts extends Tables {
  start(asked: Asked): Started {
    const key = asked.checkoutId * keysPerCheckout + asked.key
    const checkout = this.checkouts[asked.checkoutId]
    const { answer, write } = decideStart(
      checkout === undefined ? 'unknown' : this.startable(checkout, asked, key),
      {
        intentId: String(this.intents.length),
        rail: asked.rail,
        phone: String(asked.phone),
        callbackSecret: '',
        attemptReference: `M${String(this.intents.length)}`,
        wholeMajorsOnly: this.isWholeShillings && asked.rail === 'mpesa',
      },
      { startSeconds: times.intentStart },
    )
    if (checkout !== undefined && write?.attempt !== undefined) {
      this.begin(checkout, asked, write.attempt)
    }
    const intent = this.intents.find(({ id }) => String(id) === write?.boundTo)
    if (intent !== undefined) this.bind(key, asked, intent)
    const { outcome } = answer
    return 'intent' in answer ? { outcome, intentId: +answer.intent.intentId } : { outcome }
  }

  private begin(checkout: Checkout, asked: Asked, attempt: NewAttempt): void {
    const intent = this.add(
      {
        ...asked,
        amountMinor: attempt.amountMinor,
        askedMinor: this.agreed({ attempt, checkout }),
        reference: attempt.attemptReference ?? undefined,
      },
      'accepted',
    )
    intent.deadlineAt = attempt.deadlineAt / micro
    intent.nextActionAt = attempt.nextActionAt / micro
    this.move(intent, 'reserved')
  }

  /** What the payer of a new attempt is asked for. */
  protected agreed({ attempt }: NewOfCheckout): Minor {
    return attempt.askedMinor
  }

  protected bind(key: number, asked: Asked, intent: Intent): void {
    this.keys.set(key, { asked, intentId: intent.id })
  }

  private startable(checkout: Checkout, asked: Asked, key: number): StartState {
    const bound = this.keys.get(key)
    const flying = this.inFlight(checkout.id)
    return {
      now: this.now * micro,
      checkoutId: String(checkout.id),
      amountMinor: checkout.amountMinor,
      expiresAt: checkout.expiresAt * micro,
      wallet: checkout.isFrozen ? 'frozen' : 'open',
      bound: bound && {
        intentId: String(bound.intentId),
        isSameInput: bound.asked.rail === asked.rail && bound.asked.phone === asked.phone,
      },
      attempts: this.intents.flatMap((intent) =>
        intent.checkoutId === checkout.id ? [earlier(intent, flying)] : [],
      ),
      phonePrompts: this.phonePrompts(asked.phone).map(({ createdAt }) => createdAt * micro),
    }
  }

  /** Those of the last hour. */
  protected phonePrompts(phone: number): readonly Intent[] {
    return this.intents.filter(
      (intent) =>
        intent.phone === phone &&
        intent.reference !== undefined &&
        intent.createdAt > this.now - hour,
    )
  }
}

function earlier(intent: Intent, flying: Intent | undefined): EarlierAttempt {
  return {
    intentId: String(intent.id),
    status: intent.status,
    rail: intent.rail,
    amountMinor: intent.amountMinor,
    settledMinor: intent.settled?.minor ?? null,
    createdAt: intent.createdAt * micro,
    isPrompt: intent.reference !== undefined,
    isOver: intent !== flying,
    isPaid: intent.settled?.disposition === 'merchant',
  }
}
