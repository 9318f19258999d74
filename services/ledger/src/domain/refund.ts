import { conflict, type Machine } from '@malipo/kernel/machine'

export const refundStatuses = [
  'asked',
  'approved',
  'submitted',
  'paid',
  'failed',
  'withdrawn',
] as const
export type RefundStatus = (typeof refundStatuses)[number]

export const refundEvents = [
  /** Another person said yes. */
  'agreed',
  'withdrawn',
  /** We committed the decision to call the provider. */
  'sent',
  /** The money went back: the provider says so, or two people do who saw it there. */
  'confirmed',
  /** The provider would not, or it is proven not to have heard of it. */
  'declined',
] as const
export type RefundEvent = (typeof refundEvents)[number]

/**
 * Money on its way back to a payer. A "no" may be followed by the money going back all the same, as with payments; once
 * it went back nothing undoes it, and before it was sent nobody can have paid it.
 */
const refundMachine = {
  asked: {
    agreed: 'approved',
    withdrawn: 'withdrawn',
    sent: conflict,
    confirmed: 'paid',
    declined: conflict,
  },
  approved: {
    agreed: 'approved',
    withdrawn: 'withdrawn',
    sent: 'submitted',
    confirmed: conflict,
    declined: conflict,
  },
  submitted: {
    agreed: conflict,
    withdrawn: conflict,
    sent: 'submitted',
    confirmed: 'paid',
    declined: 'failed',
  },
  paid: {
    agreed: conflict,
    withdrawn: conflict,
    sent: conflict,
    confirmed: 'paid',
    declined: conflict,
  },
  failed: {
    agreed: conflict,
    withdrawn: conflict,
    sent: conflict,
    confirmed: 'paid',
    declined: 'failed',
  },
  withdrawn: {
    agreed: conflict,
    withdrawn: 'withdrawn',
    sent: conflict,
    confirmed: conflict,
    declined: conflict,
  },
} as const satisfies Machine<RefundStatus, RefundEvent>

/** The table, cell by cell, as `refund_rules()` of the database has it. */
export const refundRules: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(refundMachine).flatMap(([status, row]) =>
    Object.entries(row).map(([event, next]) => [`refund: ${status} ${event}`, next ?? 'conflict']),
  ),
)

/** `mpesa:QK12345678`: a provider and its receipt, which is what an operator has in hand. */
export function isReceiptSubject(subject: string): boolean {
  return /^[a-z_]{1,20}:[A-Za-z0-9_.-]{1,64}$/.test(subject)
}

/** A refund is asked about a minute after it was sent, and then ever more seldom. */
export const refundQueryAfterSeconds = 60

/** A payment that the provider still has as paid so long after we asked it to send it back was not sent back. */
export const stillPaidAfterSeconds = 1_800
