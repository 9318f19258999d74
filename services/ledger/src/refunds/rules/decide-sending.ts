import { conflict } from '@malipo/kernel/machine'
import { nextWatchAt } from '../../intents/rules/decide-begin-query'
import { later, type Instant } from '../../evidence/rules/state'
import { refundMachine, refundQueryAfterSeconds, type RefundStatus, refundWorkOf } from './refund'
import type { Refund, RefundDecided, RefundState } from './state'

/** Commits the decision to send, and hands out the refund to the one caller that may send it. */
export function beginRefund({ refund, now }: RefundState): RefundDecided<Refund | undefined> {
  const status = refundMachine[refund.status].sent
  if (status === conflict || status === refund.status) return { applied: undefined }
  const nextActionAt = later(now, refundQueryAfterSeconds)
  return changed({ ...refund, status, submittedAt: now, nextActionAt })
}

/** A query that is due within this time is handed out now. */
const earlySeconds = 10

/** Hands out a refund to ask the provider about, when it is time to ask. */
export function beginRefundQuery({ refund, now }: RefundState): RefundDecided<Refund | undefined> {
  const { status, nextActionAt } = refund
  const isDue = nextActionAt !== null && nextActionAt <= later(now, earlySeconds)
  if (!isDue || refundWorkOf[status] !== 'refund_query') return { applied: undefined }
  return changed({
    ...refund,
    nextActionAt: nextWatchAt({ now, submittedAt: refund.submittedAt }, refundQueryAfterSeconds),
  })
}

/** How the call to the provider ended. */
export interface RefundCall {
  readonly outcome: 'accepted' | 'refused' | 'not_sent' | 'unknown'
  readonly providerRequestId?: string
  readonly providerCode?: string
}

/** The event of each outcome of a call. A refund that may have reached the provider is queried, and not sent again. */
const callEventOf = {
  accepted: null,
  unknown: null,
  refused: 'declined',
  not_sent: 'declined',
} as const satisfies Record<RefundCall['outcome'], 'declined' | null>

/** Decides what the end of the call to the provider changes, and with it the refund's new status. */
export function recordRefund(
  { refund, now }: RefundState,
  { outcome, providerRequestId, providerCode }: RefundCall,
): RefundDecided<RefundStatus> {
  const event = callEventOf[outcome]
  const next = event === null ? refund.status : refundMachine[refund.status][event]
  // A status that was decided before the call is recorded stays.
  const status = next === conflict ? refund.status : next
  const recorded: Refund = {
    ...{ ...refund, status },
    providerRequestId: refund.providerRequestId ?? providerRequestId ?? null,
    providerCode: providerCode ?? refund.providerCode,
    endedAt: status === refund.status ? refund.endedAt : now,
    nextActionAt: event === null ? refund.nextActionAt : null,
  }
  return { ...changed(recorded), applied: status }
}

/** The writes for a refund whose change moves no money. */
function changed(next: Refund): Required<RefundDecided<Refund>> {
  return { applied: next, writes: { refunds: [next], transfers: [], intents: [] } }
}

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

/** Leases refunds that are due to be sent or queried. A refund that no worker can act on is no longer due. */
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
