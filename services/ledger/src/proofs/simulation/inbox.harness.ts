import type { StatusFacts, CheckoutStatus } from '../../checkouts/rules/checkout'
import type { MessageKind } from '../../evidence/rules/evidence'
import { Attempts } from './attempts.harness'
import type { Message, Reported } from './tables.harness'

/** A provider message as it comes in. */
export interface Received {
  readonly intentId: number | undefined
  /** A `callback` is stored as the kind that callbacks of its rail have. */
  readonly kind: Exclude<MessageKind, 'hint'>
  readonly reported: Reported
  readonly isSourceKnown: boolean
}

/** Stores provider messages: an equal callback once, and each answer to a query anew. */
export class Inbox extends Attempts {
  /** Does what StoreProviderMessage does: returns the earlier message when the same callback is stored already. */
  receive(received: Received): Message {
    const { reported, isSourceKnown, intentId } = received
    const rail = intentId === undefined ? 'paybill' : (this.intents[intentId]?.rail ?? 'paybill')
    const kind = received.kind === 'callback' ? this.core.callbackKind[rail] : received.kind
    const isCounted = received.kind === 'callback' || intentId === undefined
    const earlier = isCounted
      ? this.messages.find(
          (kept) =>
            kept.reported === reported &&
            kept.isSourceKnown === isSourceKnown &&
            kept.kind === kind,
        )
      : undefined
    if (earlier !== undefined) return earlier
    const message: Message = {
      id: this.messages.length,
      intentId,
      kind,
      reported,
      isSourceKnown,
      receivedAt: this.now,
      nextActionAt: this.now + 1,
      claims: 0,
      fact: undefined,
      result: undefined,
      order: 0,
    }
    this.messages.push(message)
    return message
  }

  /** Computes the status of a checkout as every reader does. */
  readStatus(facts: StatusFacts): CheckoutStatus {
    return this.core.checkoutStatus(facts)
  }
}
