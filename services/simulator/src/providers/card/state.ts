import type { Minor } from '@malipo/kernel/money'
import type { Deliver, HostedOrder } from '../rules/rail'
import { openRecent, type Recent } from '../../sessions/rules/recent'
import type { World } from '../../sessions/rules/world'
import type { Profile } from '../rules/profile'

/** What the operations and the pages of this rail share. */
export interface Gateway {
  readonly settings: CardSettings
  readonly world: World
  readonly deliver: Deliver
  readonly sessions: Recent<CardSession>
  /** By the id that the merchant gave. An order exists from its first step on. */
  readonly orders: Recent<Order>
  readonly counts: { sessions: number; receipts: number }
}

/** A page of the card gateway on which a payer may pay one order until the session ends. */
export interface CardSession {
  readonly id: string
  /** The value that the payer's browser brings to the merchant after a payment. */
  readonly successIndicator: string
  readonly request: OrderRequest
  /** In virtual time. */
  readonly endsAtMs: number
  /** The page of the merchant whose script opened this session. */
  openedBy: string | undefined
  /** The card whose 3-D Secure challenge is open. */
  challenged: UsedCard | undefined
}

export interface OrderRequest extends Omit<HostedOrder, 'sessionId'> {
  readonly id: string
  /** Whether the payer's approval takes the money, or authorises it for a later CAPTURE. */
  readonly operation: 'PURCHASE' | 'AUTHORIZE'
  /** The version of the API that the merchant called; notifications have the same version. */
  readonly version: string
  /** Without these the payer returns to the page whose script opened the session, or stays on the gateway's page. */
  readonly returnUrl: string | undefined
  readonly cancelUrl: string | undefined
  readonly timeoutUrl: string | undefined
  readonly notificationUrl: string | undefined
  /** As the merchant sent it; answers repeat it unchanged. */
  readonly customer: object | undefined
}

/** A card as the gateway shows it: never the whole number. */
export interface UsedCard {
  /** `512345xxxxxx0008`. */
  readonly masked: string
  readonly scheme: 'MASTERCARD' | 'VISA'
  /** `01/39`. */
  readonly expiry: string
  readonly securityCode: string
  readonly name: string
}

export interface Order {
  readonly request: OrderRequest
  readonly createdAtMs: number
  card: UsedCard
  status: string
  readonly steps: Step[]
}

export type StepType =
  | 'AUTHENTICATION'
  | 'AUTHORIZATION'
  | 'PAYMENT'
  | 'CAPTURE'
  | 'REFUND'
  | 'VOID_AUTHORIZATION'
  | 'VOID_CAPTURE'
  | 'VOID_PAYMENT'

export interface Step {
  readonly id: string
  readonly type: StepType
  readonly amountMinor: Minor
  readonly atMs: number
  result: 'SUCCESS' | 'FAILURE' | 'PENDING' | 'UNKNOWN'
  gatewayCode: string
  /** The bank's number of the step; an authentication has none. */
  readonly receipt?: string
  readonly targetTransactionId?: string
}

export function openGateway(settings: CardSettings, world: World, deliver: Deliver): Gateway {
  return {
    settings,
    world,
    deliver,
    sessions: openRecent(world.capacity.requests),
    orders: openRecent(world.capacity.requests),
    counts: { sessions: 0, receipts: 0 },
  }
}

/** The step that took the money. */
export function paymentOf(order: Order): Step | undefined {
  return order.steps.find(
    ({ type, result }) => (type === 'PAYMENT' || type === 'CAPTURE') && result === 'SUCCESS',
  )
}

/** The amount that was taken, less voids and refunds. */
export function heldMinor(order: Order): Minor {
  return capturedMinor(order) - sumOf(order, 'REFUND')
}

/** The amount that was taken and not voided. */
export function capturedMinor(order: Order): Minor {
  return sumOf(order, 'PAYMENT', 'CAPTURE') - sumOf(order, 'VOID_PAYMENT', 'VOID_CAPTURE')
}

/** The authorised amount that can still be captured. */
export function uncapturedMinor(order: Order): Minor {
  const captured = sumOf(order, 'CAPTURE') - sumOf(order, 'VOID_CAPTURE')
  return sumOf(order, 'AUTHORIZATION') - sumOf(order, 'VOID_AUTHORIZATION') - captured
}

/** Whether money was taken or authorised, so that the payer has nothing more to do. */
export function isApproved(order: Order): boolean {
  return heldMinor(order) > 0n || uncapturedMinor(order) > 0n
}

export function sumOf(order: Order, ...types: readonly StepType[]): Minor {
  return order.steps
    .filter(({ type, result }) => types.includes(type) && result === 'SUCCESS')
    .reduce((sum, step) => sum + step.amountMinor, 0n)
}

/** The one merchant of this gateway, with its credentials. */
export interface CardSettings {
  /** The only version of the API that the strict profile takes; the other profile takes every version from 60 on. */
  readonly version: string
  readonly profile: Profile
  readonly merchantId: string
  readonly apiPassword: string
  /** Sent as `X-Notification-Secret` with each notification, so that the merchant knows that the gateway sent it. */
  readonly notificationSecret: string
}
