import { conflict, type Machine } from '@malipo/kernel/machine'
import type { Strength } from '../../evidence/rules/evidence'

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
  /** Another operator agreed. */
  'agreed',
  'withdrawn',
  /** We committed the decision to call the provider. */
  'sent',
  /** The money went back, by a message of the provider or by two operators who saw it there. */
  'confirmed',
  /** The provider refused, never got the call, or still has the payment half an hour later; or two operators say so. */
  'declined',
] as const
export type RefundEvent = (typeof refundEvents)[number]

/**
 * Money on its way back to a payer. A "no" may be followed by the money going back all the same, as with payments; once
 * it went back nothing undoes it. An approved refund that was not sent cannot have been paid; one that is asked for may
 * have been, by the provider itself.
 */
export const refundMachine = {
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

/** E3 if the source, the amount and the request of a message about a refund are all right, and E2 if not. */
export type RefundStrength = Extract<Strength, 'E2' | 'E3'>

export type RefundReport =
  /** The money went back. */
  | 'refunded'
  /** The provider refused to send it back. */
  | 'refused'
  /** The payment is still there, as it was before the refund was sent. */
  | 'payment_stands'
  | 'undecided'
  | 'unreadable'

export type RefundEffect =
  /** Post that the money went back. */
  | 'confirm'
  /** End the refund; the money stays where it is. */
  | 'decline'
  /** The table `standingOf` decides. */
  | 'evaluate_standing'
  /** Ask the provider soon. */
  | 'ask'
  | 'keep'
  | 'park'

/** What a message does, by its strength. */
export const refundEffectOf = {
  E3: {
    refunded: 'confirm',
    refused: 'decline',
    payment_stands: 'evaluate_standing',
    undecided: 'keep',
    unreadable: 'park',
  },
  E2: {
    refunded: 'ask',
    refused: 'ask',
    payment_stands: 'ask',
    undecided: 'ask',
    unreadable: 'park',
  },
} as const satisfies Record<RefundStrength, Record<RefundReport, RefundEffect>>

/** The effect of an answer that the payment stands, soon after the refund and `stillPaidAfterSeconds` later. */
export const standingOf = {
  early: 'keep',
  late: 'decline',
} as const satisfies Record<'early' | 'late', RefundEffect>

/**
 * What happens to another refund of the same receipt when a refund that was believed to have failed is confirmed. One
 * that was not sent is withdrawn. One that was sent may have gone through too, so the confirmation is a contradiction.
 */
export const yesAfterNoOf = {
  asked: 'withdraw',
  approved: 'withdraw',
  submitted: 'contradict',
  paid: 'contradict',
  failed: 'leave',
  withdrawn: 'leave',
} as const satisfies Record<RefundStatus, 'withdraw' | 'contradict' | 'leave'>

/** Whether a new refund of a receipt may be asked for beside one of this status. */
export const makesWayOf = {
  asked: false,
  approved: false,
  submitted: false,
  paid: false,
  failed: true,
  withdrawn: true,
} as const satisfies Record<RefundStatus, boolean>

/** What a worker does about a refund that is due. One that may have been sent is queried, and never sent again. */
export const refundWorkOf = {
  asked: null,
  approved: 'refund',
  submitted: 'refund_query',
  paid: null,
  // A refund that has failed may have been paid all the same.
  failed: 'refund_query',
  withdrawn: null,
} as const satisfies Record<RefundStatus, 'refund' | 'refund_query' | null>

/** `mpesa:QK12345678`: a provider and its receipt, which is what an operator has in hand. */
export function isReceiptSubject(subject: string): boolean {
  return /^[a-z_]{1,20}:[A-Za-z0-9_.-]{1,64}$/.test(subject)
}

/** A refund is asked about a minute after it was sent, and then ever more seldom. */
export const refundQueryAfterSeconds = 60

/** A payment that the provider still has as paid so long after we asked it to send it back was not sent back. */
export const stillPaidAfterSeconds = 1_800
