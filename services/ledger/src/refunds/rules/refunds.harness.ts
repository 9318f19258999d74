import { pending, settled } from '../../evidence/rules/decide-evidence.harness'
import { type Intent, later } from '../../evidence/rules/state'
import type { Refund, RefundState } from './state'

export const now = 1_800_000_000_000_001

/** A refund of KES 500.00 that the provider has taken. */
export const sent: Refund = {
  ...{
    id: 'rf_1',
    provider: 'mpesa',
    receipt: 'R1',
    minor: 50_000n,
    sentBy: 'us',
    callbackSecret: 's',
  },
  ...{ status: 'submitted', askedBy: 'op_1', decidedBy: 'op_2', decidedAt: later(now, -90) },
  ...{ submittedAt: later(now, -60), providerRequestId: 'AG_1', providerCode: null },
  ...{ endedAt: null, nextActionAt: later(now, 600) },
  ...{ closing: null, closingAskedBy: null, closedBy: null },
}

export const paidIntent: Intent = {
  ...{ ...pending, status: 'completed', event: 'confirmed', endedAt: later(now, -9) },
  ...{ ...settled, receipt: 'R1', disposition: 'merchant' },
}

export const inWallet = {
  ...{ holder: 'wallet:acc_1', minor: 50_000n, feeMinor: 0n, holderMinor: 80_000n },
} as const

type Message = NonNullable<RefundState['message']>

const callback: Message = {
  ...{ id: 'pm_1', kind: 'callback', isSourceKnown: true, result: null, strength: null },
  receivedAt: now,
}

/** The differences from a sent refund of a payment whose money is in a wallet. */
export interface Changes extends Omit<Partial<RefundState>, 'refund' | 'message'> {
  readonly refund?: Partial<Refund>
  readonly message?: Partial<Message>
}

export function stateOf({ refund, message, ...others }: Changes = {}) {
  return {
    now,
    refund: { ...sent, ...refund },
    ...{ others: [], money: inWallet, intents: [paidIntent] },
    ...others,
    message: { ...callback, ...message },
  } satisfies RefundState
}
