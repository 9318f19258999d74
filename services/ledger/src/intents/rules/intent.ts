import { conflict, type Machine } from '@malipo/kernel/machine'

export const intentStatuses = [
  'created',
  'reserved',
  'submitted',
  'pending',
  'completed',
  'failed',
  'expired',
  'reversed',
] as const
export type IntentStatus = (typeof intentStatuses)[number]

/** What can happen to an attempt, once it exists. */
export const intentEvents = [
  /** The ledger agreed: wallet, amount and limits allow the attempt, and its checkout has no other in flight. */
  'reserved',
  /** We decided not to send the prompt. */
  'withheld',
  /** We committed the decision to call the provider. */
  'submitted',
  /** The provider accepted the call. */
  'acknowledged',
  /** The provider refused the call, or the call is proven not to have reached it. */
  'refused',
  /** Money has come, with a receipt. */
  'confirmed',
  /**
   * No money will come, by a callback that passed every check, two agreeing status answers, or one that confirms a
   * hint.
   */
  'declined',
  /** Its deadline has passed. */
  'lapsed',
  /** The money went back. */
  'reversed',
] as const
export type IntentEvent = (typeof intentEvents)[number]

/**
 * One attempt to take money over one rail. Money may come after we gave up, so `failed` and `expired` still accept
 * `confirmed`: the payer's money is real whatever our clock says. Before `submitted` no payer was asked, so
 * a report about such an attempt cannot be true; and a state that has the money ignores a "no".
 */
export const intentMachine = {
  created: {
    reserved: 'reserved',
    withheld: 'failed',
    submitted: conflict,
    acknowledged: conflict,
    refused: conflict,
    confirmed: conflict,
    declined: conflict,
    lapsed: 'expired',
    reversed: conflict,
  },
  reserved: {
    reserved: 'reserved',
    withheld: 'failed',
    submitted: 'submitted',
    acknowledged: conflict,
    refused: conflict,
    confirmed: conflict,
    declined: conflict,
    lapsed: 'expired',
    reversed: conflict,
  },
  submitted: {
    reserved: 'submitted',
    withheld: conflict,
    submitted: 'submitted',
    acknowledged: 'pending',
    refused: 'failed',
    confirmed: 'completed',
    declined: 'failed',
    lapsed: 'expired',
    reversed: conflict,
  },
  pending: {
    reserved: 'pending',
    withheld: conflict,
    submitted: 'pending',
    acknowledged: 'pending',
    refused: conflict,
    confirmed: 'completed',
    declined: 'failed',
    lapsed: 'expired',
    reversed: conflict,
  },
  completed: {
    reserved: 'completed',
    withheld: conflict,
    submitted: 'completed',
    acknowledged: 'completed',
    refused: conflict,
    confirmed: 'completed',
    declined: conflict,
    lapsed: 'completed',
    reversed: 'reversed',
  },
  failed: {
    reserved: 'failed',
    withheld: 'failed',
    submitted: 'failed',
    acknowledged: 'failed',
    refused: 'failed',
    confirmed: 'completed',
    declined: 'failed',
    lapsed: 'failed',
    reversed: conflict,
  },
  expired: {
    reserved: 'expired',
    withheld: 'expired',
    submitted: 'expired',
    acknowledged: 'expired',
    refused: 'expired',
    confirmed: 'completed',
    declined: 'expired',
    lapsed: 'expired',
    reversed: conflict,
  },
  reversed: {
    reserved: 'reversed',
    withheld: conflict,
    submitted: 'reversed',
    acknowledged: 'reversed',
    refused: conflict,
    confirmed: 'reversed',
    declined: conflict,
    lapsed: 'reversed',
    reversed: 'reversed',
  },
} as const satisfies Machine<IntentStatus, IntentEvent>

/** How an attempt comes to be: asked for by a payer, or created for money that arrived without an attempt. */
export const intentInitialStates = {
  accepted: 'created',
  matched: 'completed',
} as const satisfies Record<string, IntentStatus>
export type IntentInitialEvent = keyof typeof intentInitialStates
