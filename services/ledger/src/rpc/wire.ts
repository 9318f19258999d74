import {
  CheckoutStatus as WireCheckoutStatus,
  EvidenceResult as WireResult,
  FailureCause as WireCause,
  IntentStatus as WireStatus,
  ProviderMessageKind as WireKind,
  Rail as WireRail,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Rail } from '@malipo/kernel/countries'
import type { CheckoutStatus } from '../domain/checkout'
import type { EvidenceResult, MessageKind } from '../domain/evidence'
import type { FailureCause, IntentStatus } from '../domain/intent'

/** Our words and the wire's. Total tables: a value added on either side does not compile without its row. */

export const wireCheckoutStatusOf = {
  open: WireCheckoutStatus.OPEN,
  completed: WireCheckoutStatus.COMPLETED,
  expired: WireCheckoutStatus.EXPIRED,
} as const satisfies Record<CheckoutStatus, WireCheckoutStatus>

export const checkoutStatusOf = {
  CHECKOUT_STATUS_UNSPECIFIED: undefined,
  CHECKOUT_STATUS_OPEN: 'open',
  CHECKOUT_STATUS_COMPLETED: 'completed',
  CHECKOUT_STATUS_EXPIRED: 'expired',
} as const satisfies Record<WireCheckoutStatus, CheckoutStatus | undefined>

export const wireStatusOf = {
  created: WireStatus.CREATED,
  reserved: WireStatus.RESERVED,
  submitted: WireStatus.SUBMITTED,
  pending: WireStatus.PENDING,
  completed: WireStatus.COMPLETED,
  failed: WireStatus.FAILED,
  expired: WireStatus.EXPIRED,
  reversed: WireStatus.REVERSED,
} as const satisfies Record<IntentStatus, WireStatus>

export const wireRailOf = {
  mpesa: WireRail.MPESA,
  mtn_momo: WireRail.MTN_MOMO,
  airtel_money: WireRail.AIRTEL_MONEY,
  card: WireRail.CARD,
  paybill: WireRail.PAYBILL,
} as const satisfies Record<Rail, WireRail>

export const railOf = {
  RAIL_UNSPECIFIED: undefined,
  RAIL_MPESA: 'mpesa',
  RAIL_MTN_MOMO: 'mtn_momo',
  RAIL_AIRTEL_MONEY: 'airtel_money',
  RAIL_CARD: 'card',
  RAIL_PAYBILL: 'paybill',
} as const satisfies Record<WireRail, Rail | undefined>

export const wireKindOf = {
  callback: WireKind.CALLBACK,
  hint: WireKind.CALLBACK,
  query_answer: WireKind.QUERY_ANSWER,
  statement_row: WireKind.STATEMENT_ROW,
} as const satisfies Record<MessageKind, WireKind>

export const kindOf = {
  PROVIDER_MESSAGE_KIND_UNSPECIFIED: undefined,
  PROVIDER_MESSAGE_KIND_CALLBACK: 'callback',
  PROVIDER_MESSAGE_KIND_QUERY_ANSWER: 'query_answer',
  PROVIDER_MESSAGE_KIND_STATEMENT_ROW: 'statement_row',
} as const satisfies Record<WireKind, MessageKind | undefined>

export const wireCauseOf = {
  wrong_pin: WireCause.WRONG_PIN,
  no_funds: WireCause.NO_FUNDS,
  cancelled: WireCause.CANCELLED,
  no_answer: WireCause.NO_ANSWER,
  prompt_expired: WireCause.PROMPT_EXPIRED,
  session_open: WireCause.SESSION_OPEN,
  busy: WireCause.BUSY,
  over_limit: WireCause.OVER_LIMIT,
  not_registered: WireCause.NOT_REGISTERED,
  locked: WireCause.LOCKED,
  card_declined: WireCause.CARD_DECLINED,
  card_expired: WireCause.CARD_EXPIRED,
  card_not_authenticated: WireCause.CARD_NOT_AUTHENTICATED,
  refused: WireCause.REFUSED,
  not_started: WireCause.NOT_STARTED,
  unconfirmed: WireCause.UNCONFIRMED,
} as const satisfies Record<FailureCause, WireCause>

export const causeOf = {
  // Whoever cannot say why was refused all the same.
  FAILURE_CAUSE_UNSPECIFIED: 'refused',
  FAILURE_CAUSE_WRONG_PIN: 'wrong_pin',
  FAILURE_CAUSE_NO_FUNDS: 'no_funds',
  FAILURE_CAUSE_CANCELLED: 'cancelled',
  FAILURE_CAUSE_NO_ANSWER: 'no_answer',
  FAILURE_CAUSE_PROMPT_EXPIRED: 'prompt_expired',
  FAILURE_CAUSE_SESSION_OPEN: 'session_open',
  FAILURE_CAUSE_BUSY: 'busy',
  FAILURE_CAUSE_OVER_LIMIT: 'over_limit',
  FAILURE_CAUSE_NOT_REGISTERED: 'not_registered',
  FAILURE_CAUSE_LOCKED: 'locked',
  FAILURE_CAUSE_CARD_DECLINED: 'card_declined',
  FAILURE_CAUSE_CARD_EXPIRED: 'card_expired',
  FAILURE_CAUSE_CARD_NOT_AUTHENTICATED: 'card_not_authenticated',
  FAILURE_CAUSE_NOT_STARTED: 'not_started',
  FAILURE_CAUSE_UNCONFIRMED: 'unconfirmed',
  FAILURE_CAUSE_REFUSED: 'refused',
} as const satisfies Record<WireCause, FailureCause>

export const wireResultOf = {
  settled: WireResult.SETTLED,
  already_settled: WireResult.ALREADY_SETTLED,
  failed: WireResult.FAILED,
  kept: WireResult.KEPT,
  contradiction: WireResult.CONTRADICTION,
  parked: WireResult.PARKED,
} as const satisfies Record<EvidenceResult, WireResult>
