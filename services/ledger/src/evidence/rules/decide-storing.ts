import type { Rail } from '@malipo/kernel/countries'
import { asksByPage } from '@malipo/kernel/rail-abilities'
import { callbackKindOf, type MessageKind } from './evidence'

/** How a message about an attempt came in. */
export interface Received {
  /** A hint is received as a callback: what a callback is worth depends on the attempt's rail. */
  readonly kind: Exclude<MessageKind, 'hint'>
  /** The sender gave a secret, as part of the callback address. */
  readonly hasSecret: boolean
}

/** How a message is stored. */
export interface Stored {
  /** In the words of the column `kind`. */
  readonly kind: MessageKind
  /** The message is stored only where the secret is that of the attempt. */
  readonly needsSecret: boolean
  /** The same message again is counted and not stored again. Two equal answers to queries are two. */
  readonly isCounted: boolean
  /** The message is about this attempt and no other, by its secret or because we asked. */
  readonly isBound: boolean
}

/**
 * Decides how a message about an attempt of a rail is stored. A provider whose callbacks only hint may call one address for
 * all attempts, without a secret. A card attempt is the only one in the callback of its order.
 */
export function decideStoring(rail: Rail, { kind, hasSecret }: Received): Stored {
  if (kind !== 'callback') return { kind, needsSecret: false, isCounted: false, isBound: true }
  const stored = callbackKindOf[rail]
  return {
    kind: stored,
    needsSecret: hasSecret || stored !== 'hint',
    isCounted: true,
    isBound: hasSecret || asksByPage(rail),
  }
}
