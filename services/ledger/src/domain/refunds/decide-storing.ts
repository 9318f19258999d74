import type { MessageKind } from '../evidence'
import type { Provider } from '../chart'
import { type Instant, later } from '../settlement/state'

/** What came to an address of a refund, word for word. */
export interface CameToRefund {
  readonly messageId: string
  readonly refundId: string
  /** What the sender knew of the address. */
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

export interface StoreDecided {
  /** The id of the message; undefined when no refund has that address. */
  readonly applied: string | undefined
  readonly writes?:
    | { readonly kept: CameToRefund & { readonly rail: Provider; readonly nextActionAt: Instant } }
    | { readonly repeatedId: string }
}

/** The sweep hands a message out that no worker was told of for so long. */
const untoldSeconds = 1

/** Keeps a message, or counts it when the same one was kept before. */
export function storeRefundMessage(
  state: AddressState | undefined,
  message: CameToRefund,
): StoreDecided {
  if (state?.isSecretRight !== true) return { applied: undefined }
  const { now, provider, keptId } = state
  if (keptId !== null) return { applied: keptId, writes: { repeatedId: keptId } }
  const kept = { ...message, rail: provider, nextActionAt: later(now, untoldSeconds) }
  return { applied: message.messageId, writes: { kept } }
}
