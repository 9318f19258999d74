import type { Refund, RefundCourse } from '../../domain/refunds/state'
import { micros, timestamp } from '../settlement/columns'

const plain = {
  id: 'id',
  provider: 'provider',
  receipt: 'receipt',
  minor: 'minor',
  sentBy: 'sent_by',
  askedBy: 'asked_by',
  callbackSecret: 'callback_secret',
  status: 'status',
  decidedBy: 'decided_by',
  providerRequestId: 'provider_request_id',
  providerCode: 'provider_code',
  closing: 'closing',
  closingAskedBy: 'closing_asked_by',
  closedBy: 'closed_by',
} as const

const times = {
  decidedAt: 'decided_at',
  submittedAt: 'submitted_at',
  endedAt: 'ended_at',
  nextActionAt: 'next_action_at',
} as const

/** The columns of the refund `r`, each by its name in `Refund`. */
export const refundColumns = [
  ...Object.entries(plain).map(([name, column]) => `r.${column} AS "${name}"`),
  ...Object.entries(times).map(([name, column]) => `${micros(`r.${column}`)} AS "${name}"`),
].join(', ')

/** A row of `refundColumns`: `pg` gives a bigint as text, and JSON as a number. */
export type RefundRow = Omit<Refund, 'minor'> & { readonly minor: string | number }

export function readRefund(row: RefundRow): Refund {
  return { ...row, minor: BigInt(row.minor) }
}

/** What a refund becomes, as the statement that saves reads it. */
export function refundCourseOf({ id, ...course }: RefundCourse & { readonly id: string }) {
  const { status, decidedBy, providerRequestId, providerCode } = course
  const { closing, closingAskedBy, closedBy } = course
  return {
    ...{ id, status, decidedBy, providerRequestId, providerCode },
    ...{ closing, closingAskedBy, closedBy },
    decidedAt: timestamp(course.decidedAt),
    submittedAt: timestamp(course.submittedAt),
    endedAt: timestamp(course.endedAt),
    nextActionAt: timestamp(course.nextActionAt),
  }
}
