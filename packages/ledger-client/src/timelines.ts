import type { TimelineAttempt as WireTimelineAttempt } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { present } from '@malipo/contracts/present'
import type { IntentStatus } from '@malipo/interface/fields'
import {
  intentStatusOf,
  type ListedCheckout,
  listedCheckoutOf,
  type Payment,
  paymentOf,
} from './checkouts'
import type { LedgerConnection } from './connection'

export interface Timeline {
  readonly checkout: ListedCheckout
  readonly payBillAccountNumber: string | undefined
  readonly attempts: readonly TimelineAttempt[]
}

/** One attempt to pay a checkout, and what happened to it. */
export interface TimelineAttempt
  extends Payment, Readonly<Pick<WireTimelineAttempt, 'heldBecause' | 'frozenAt' | 'returnedAt'>> {
  readonly startedAt: Date
  readonly steps: readonly { readonly status: IntentStatus; readonly at: Date }[]
}

export function timelineCalls({ reads }: LedgerConnection) {
  return {
    /** Fault: checkout_not_found. */
    async readTimeline(accountId: string, checkoutId: string): Promise<Timeline> {
      const wire = await reads.readTimeline({ accountId, checkoutId })
      return {
        checkout: listedCheckoutOf(present(wire.checkout, 'checkout')),
        payBillAccountNumber: wire.payBillAccountNumber,
        attempts: wire.attempts.map(timelineAttemptOf),
      }
    },
  }
}

function timelineAttemptOf(wire: WireTimelineAttempt): TimelineAttempt {
  const { startedAt, heldBecause, frozenAt, returnedAt, steps, ...payment } = wire
  return {
    ...paymentOf(payment),
    startedAt: present(startedAt, 'started_at'),
    heldBecause,
    frozenAt,
    returnedAt,
    steps: steps.map(({ status, at }) => ({
      status: intentStatusOf(status),
      at: present(at, 'at'),
    })),
  }
}
