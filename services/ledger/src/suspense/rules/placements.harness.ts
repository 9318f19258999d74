import type { Intent } from '../../evidence/rules/state'
import type { PlacingState } from './place-money'

const now = 1_000_000

/** An intent whose money is held. */
export const held: Intent = {
  ...{ id: 'pi_held', checkoutId: 'cs_other', accountId: null, handle: null, rail: 'mpesa' },
  ...{
    phone: '254700000001',
    amountMinor: 60_000n,
    askedMinor: 60_000n,
    providerRequestId: 'ws_1',
  },
  ...{ submittedAt: 1, askedAt: 1, status: 'completed', event: 'confirmed', endedAt: 2 },
  ...{ deadlineAt: null, nextActionAt: null, queryAt: null, receiptWanted: false },
  ...{ deniedCode: null, deniedAt: null, cause: null, providerCode: null, settledMinor: 50_000n },
  ...{ receipt: 'QK1', settledAt: 2, disposition: 'suspense_mismatch' },
  ...{ reportedAt: null, heldUntil: null, callbackRequestId: null },
}

/** Unmatched money that may go to a checkout of its amount. */
export function placing(changes: Partial<PlacingState> = {}): PlacingState {
  return {
    ...{ now, provider: 'mpesa', receipt: 'QK1', refunds: [], held: [] },
    money: { holder: 'suspense:unmatched', minor: 50_000n },
    checkout: { id: 'cs_1', amountMinor: 50_000n, isPaid: false },
    wallet: { accountId: 'acc_1', isOpen: true },
    ...changes,
  }
}

export const toCheckout = { checkoutId: 'cs_1', accountId: null }
export const toWallet = { checkoutId: null, accountId: 'acc_1' }
