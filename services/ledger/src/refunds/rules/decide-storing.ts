import { railAbilities } from '@malipo/kernel/rail-abilities'
import type { MessageKind } from '../../evidence/rules/evidence'
import type { Provider } from '../../journal/rules/postings'
import { type Instant, later } from '../../evidence/rules/state'

/** A message to the callback address of a refund, byte for byte. */
export interface CameToRefund {
  readonly messageId: string
  readonly refundId: string
  /** The secret part of the address, as the sender used it. */
  readonly callbackSecret: string
  readonly kind: MessageKind
  readonly body: Buffer
  readonly sourceAddress: string
  readonly sourceKnown: boolean
}

/** All that storing a message may depend on. None of it changes once it was committed. */
export interface AddressState {
  readonly now: Instant
  readonly provider: Provider
  /** The sender knew the secret of the address. */
  readonly isSecretRight: boolean
  /** The message with the same digest that was kept before. */
  readonly keptId: string | null
}

export interface KeptForRefund extends CameToRefund {
  readonly rail: Provider
  readonly nextActionAt: Instant
  /** A repeat of the message is counted and not kept again. */
  readonly isCounted: boolean
}

export interface StoreDecided {
  /**
   * The answer, as in other decisions: the id of the stored message, which is applied later; undefined when no refund
   * has the address that was called.
   */
  readonly applied: string | undefined
  readonly writes?: { readonly kept: KeptForRefund } | { readonly repeatedId: string }
}

/** The sweep hands out a message whose job was not queued within this time. */
const untoldSeconds = 1

/** Keeps a message, or counts it when the same one was kept before. */
export function storeRefundMessage(
  state: AddressState | undefined,
  message: CameToRefund,
): StoreDecided {
  if (state?.isSecretRight !== true) return { applied: undefined }
  const { now, provider, keptId } = state
  const isCounted = message.kind === 'callback' || isCalledBack(provider)
  if (isCounted && keptId !== null) return { applied: keptId, writes: { repeatedId: keptId } }
  const kept = { ...message, rail: provider, nextActionAt: later(now, untoldSeconds), isCounted }
  return { applied: message.messageId, writes: { kept } }
}

/**
 * Whether a provider reports the end of a refund to an address. M-Pesa does, and may repeat its answer to a query much
 * later. From the others a worker fetches each answer, and equal ones are kept each time: an order that reads the same
 * half an hour later says more than it did at first.
 */
export function isCalledBack(provider: Provider): boolean {
  return railAbilities[provider].refundVerdict === 'reported'
}
