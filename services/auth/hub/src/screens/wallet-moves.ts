import type { WalletEntryView } from '@malipo/interface/hub'
import type { WalletMove } from '@malipo/kernel/wallet-move'
import { showRail } from '../show'

interface MoveText {
  /** The title of an entry that names neither a checkout nor a link. */
  readonly what: string
  /** The reason and the next step, where the title does not explain it. */
  readonly why?: (provider: string) => string
}

/** Why money moved, in the wallet owner's words. A kind of entry without a text does not compile. */
const moves: Readonly<Record<WalletMove, MoveText>> = {
  received: { what: 'Money in' },
  frozen: {
    what: 'Frozen',
    why: (provider) =>
      `Frozen: ${provider} reported this payment, and its statement does not show it. It comes back by itself if the statement shows it later; else we ask ${provider}, and two of our operators decide. You need do nothing. Do not deliver for this payment yet.`,
  },
  unfrozen: {
    what: 'Frozen',
    why: () => 'Was frozen until the payment was confirmed, and came back to your wallet.',
  },
  voided: {
    what: 'Taken back',
    why: (provider) =>
      `Taken back for good: two of our operators checked with ${provider}, and this payment was not made or was not for you.`,
  },
  returned: {
    what: 'Money back',
    why: () => 'Came back: the payment that was frozen is confirmed. You can deliver.',
  },
  placed: {
    what: 'Money in',
    why: () => 'Was held by us until it was known to be yours.',
  },
  refunded: { what: 'Money out', why: () => 'Sent back to the payer.' },
}

export function moveText({ move, provider }: Pick<WalletEntryView, 'move' | 'provider'>): {
  readonly what: string
  readonly why: string | undefined
} {
  const { what, why } = moves[move]
  return { what, why: why?.(provider === null ? 'the provider' : showRail(provider)) }
}
