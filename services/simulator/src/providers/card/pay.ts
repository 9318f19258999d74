import { drawHex } from '../../sessions/rules/draw'
import { applyRules, shownFacets } from '../../sessions/rules/world'
import { notify } from './notify'
import { facetsOf } from './open-session'
import {
  type CardSession,
  type Gateway,
  isApproved,
  type Order,
  paymentOf,
  type Step,
  type UsedCard,
} from './state'
import { outcomeOfExpiry } from './test-cards'

/** Begins 3-D Secure: the order gets an authentication step, which is pending until the bank's customer answers. */
export function challenge(gateway: Gateway, session: CardSession, card: UsedCard): void {
  const order = orderOf(gateway, session, card)
  session.challenged = card
  order.status = 'AUTHENTICATION_INITIATED'
  addStep(gateway, order, { type: 'AUTHENTICATION', result: 'PENDING', gatewayCode: 'PENDING' })
  gateway.world.events.append('card_challenged', shownFacets(facetsOf(gateway, session.request)))
}

/** Ends 3-D Secure: the payment goes on only if the customer proved who they are. Returns whether the order is paid. */
export function answerChallenge(
  gateway: Gateway,
  session: CardSession,
  isProven: boolean,
): boolean {
  const card = session.challenged
  const order = gateway.orders.get(session.request.id)
  const step = order?.steps.findLast(({ type }) => type === 'AUTHENTICATION')
  if (card === undefined || order === undefined || step === undefined) return false
  session.challenged = undefined
  const applied = applyRules(gateway.world, 'challenge', facetsOf(gateway, session.request))
  const isBelieved = isProven && !applied.some(({ effect }) => effect.kind === 'fails')
  step.result = isBelieved ? 'SUCCESS' : 'FAILURE'
  step.gatewayCode = isBelieved ? 'APPROVED' : 'DECLINED'
  order.status = isBelieved ? 'AUTHENTICATED' : 'AUTHENTICATION_UNSUCCESSFUL'
  notify(gateway, order, step)
  return isBelieved && pay(gateway, session, card)
}

/** Takes or authorises the money, or fails, by the expiry date of the card. Returns whether the bank approved. */
export function pay(gateway: Gateway, session: CardSession, card: UsedCard): boolean {
  const order = orderOf(gateway, session, card)
  // An order is paid once, even from several pages.
  if (isApproved(order)) return true
  const gatewayCode = gatewayCodeOf(gateway, card)
  const isPaid = gatewayCode === 'APPROVED'
  const isHeld = order.request.operation === 'AUTHORIZE'
  order.status = isPaid ? (isHeld ? 'AUTHORIZED' : 'CAPTURED') : 'FAILED'
  const step = addStep(gateway, order, {
    type: isHeld ? 'AUTHORIZATION' : 'PAYMENT',
    result: resultOf(gatewayCode),
    gatewayCode,
  })
  if (isPaid && !isHeld) book(gateway, order, step, 'card_payment')
  notify(gateway, order, step)
  return isPaid
}

function gatewayCodeOf({ world }: Gateway, { expiry }: UsedCard): string {
  return world.book.isFull() ? 'ACQUIRER_SYSTEM_ERROR' : (outcomeOfExpiry.get(expiry) ?? 'DECLINED')
}

const results: ReadonlyMap<string, Step['result']> = new Map([
  ['APPROVED', 'SUCCESS'],
  ['TIMED_OUT', 'PENDING'],
  ['UNKNOWN', 'UNKNOWN'],
])

/** Any code that is not in `results` is a refusal of the bank. */
export function resultOf(gatewayCode: string): Step['result'] {
  return results.get(gatewayCode) ?? 'FAILURE'
}

function orderOf(gateway: Gateway, { request }: CardSession, card: UsedCard): Order {
  const known = gateway.orders.get(request.id)
  if (known !== undefined) {
    known.card = card
    return known
  }
  const createdAtMs = gateway.world.wallNow()
  const order: Order = { request, createdAtMs, card, status: 'INITIATED', steps: [] }
  gateway.orders.set(request.id, order)
  return order
}

type NewStep = Pick<Step, 'type' | 'result' | 'gatewayCode'> &
  Partial<Pick<Step, 'id' | 'amountMinor' | 'targetTransactionId'>>

export function addStep(gateway: Gateway, order: Order, given: NewStep): Step {
  const step: Step = {
    id: String(order.steps.length + 1),
    amountMinor: order.request.amountMinor,
    atMs: gateway.world.wallNow(),
    ...(given.type !== 'AUTHENTICATION' && { receipt: nextReceipt(gateway) }),
    ...given,
  }
  order.steps.push(step)
  return step
}

/** Twelve digits, drawn and not counted: two may be equal, as at a bank, so that clients do not rely on unique ones. */
function nextReceipt({ world, counts }: Gateway): string {
  counts.receipts += 1
  const drawn = drawHex(world.seed, `card receipt ${String(counts.receipts)}`, 12)
  return String(BigInt(`0x${drawn}`) % 1_000_000_000_000n).padStart(12, '0')
}

/** Writes a movement into the book. Its receipt there is the ids of order and step, by which the gateway names it. */
export function book(
  gateway: Gateway,
  order: Order,
  step: Step,
  kind: 'card_payment' | 'card_refund' | 'card_void',
): void {
  const payment = paymentOf(order)
  const isRefundOrVoid = kind !== 'card_payment' && payment !== undefined
  const { world, settings } = gateway
  const row = world.book.write({
    receipt: `${order.request.id}-${step.id}`,
    provider: 'card',
    kind,
    msisdn: '',
    business: settings.merchantId,
    // A refund and a void name the receipt of the payment.
    account: isRefundOrVoid ? `${order.request.id}-${payment.id}` : order.request.id,
    amountMinor: step.amountMinor,
    reference: step.receipt ?? '',
  })
  const facets = shownFacets(facetsOf(gateway, order.request))
  world.events.append('money_moved', { ...facets, receipt: row.receipt, kind })
}
