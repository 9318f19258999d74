import { type RefundStatus, refundWorkOf } from './refund'
import { type Instant, later } from '../../evidence/rules/state'

export interface DueRefund {
  readonly id: string
  readonly status: RefundStatus
}

export interface RefundWork {
  readonly kind: 'refund' | 'refund_query'
  readonly id: string
}

export interface ClaimDecided {
  readonly applied: readonly RefundWork[]
  readonly writes: readonly { readonly id: string; readonly nextActionAt: Instant | null }[]
}

/** Leases refunds that are due to be sent or asked about. What no worker can do is due no more. */
export function claimRefunds(
  now: Instant,
  due: readonly DueRefund[],
  leaseSeconds: number,
): ClaimDecided {
  const leasedUntil = later(now, leaseSeconds)
  return {
    applied: due.flatMap(({ id, status }) => {
      const kind = refundWorkOf[status]
      return kind === null ? [] : [{ kind, id }]
    }),
    writes: due.map(({ id, status }) => ({
      id,
      nextActionAt: refundWorkOf[status] === null ? null : leasedUntil,
    })),
  }
}
