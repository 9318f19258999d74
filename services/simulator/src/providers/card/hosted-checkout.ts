import type { HostedCheckout, HostedView } from '../rules/rail'
import { drawHex } from '../../sessions/rules/draw'
import { answerChallenge, challenge, pay } from './pay'
import { type CardSession, type Gateway, isApproved } from './state'
import { readCard } from './test-cards'

/** What the payer's browser is shown, and where it is sent. */
export function hostedCheckout(gateway: Gateway): HostedCheckout {
  const within = (id: string, view: (session: CardSession) => HostedView): HostedView => {
    const session = gateway.sessions.get(id)
    if (session === undefined) return { kind: 'gone' }
    if (isPaid(gateway, session)) return moved(session, session.successIndicator)
    if (gateway.world.time.now() < session.endsAtMs) return view(session)
    const location = leadBack(session, session.request.timeoutUrl, 'timeout')
    return location === undefined ? { kind: 'gone' } : { kind: 'moved', location }
  }
  return {
    open: (id, openedBy) =>
      within(id, (session) => {
        session.openedBy ??= openedBy
        return form(gateway, session)
      }),
    pay: (id, fields) =>
      within(id, (session) => {
        const read = readCard(fields)
        if (read.kind === 'wrong') return form(gateway, session, read.problem)
        if (read.isEnrolled) {
          challenge(gateway, session, read.card)
          return { kind: 'moved', location: `/checkout/3ds/${session.id}` }
        }
        return ended(gateway, session, pay(gateway, session, read.card))
      }),
    openChallenge: (id) =>
      within(id, (session) =>
        session.challenged === undefined
          ? { kind: 'moved', location: `/checkout/pay/${session.id}` }
          : { ...shown(session), kind: 'challenge', card: session.challenged.masked },
      ),
    answerChallenge: (id, isProven) =>
      within(id, (session) => ended(gateway, session, answerChallenge(gateway, session, isProven))),
  }
}

function isPaid({ orders }: Gateway, { request }: CardSession): boolean {
  const order = orders.get(request.id)
  return order !== undefined && isApproved(order)
}

/** A payer who has paid returns to the merchant; the others may try another card, for as long as the session lasts. */
function ended(gateway: Gateway, session: CardSession, isPaid: boolean): HostedView {
  if (isPaid) return moved(session, session.successIndicator)
  const code = gateway.orders.get(session.request.id)?.steps.at(-1)?.gatewayCode
  return form(gateway, session, `Your payment was not taken (${code ?? 'UNKNOWN'})`)
}

function form(gateway: Gateway, session: CardSession, problem?: string): HostedView {
  const failed = drawHex(gateway.world.seed, `card failure ${session.id}`, 16)
  return {
    ...shown(session),
    ...{ kind: 'form', problem, cancelUrl: leadBack(session, session.request.cancelUrl, 'cancel') },
    leaveUrl: returnUrl(session, failed),
  }
}

function shown({ id, request }: CardSession) {
  const { merchantName, amountMinor, currency, description } = request
  return { sessionId: id, merchantName, amountMinor, currency, description }
}

function moved(session: CardSession, indicator: string): HostedView {
  const location = returnUrl(session, indicator)
  return location === undefined
    ? { ...shown(session), kind: 'receipt' }
    : { kind: 'moved', location }
}

function returnUrl(session: CardSession, indicator: string): string | undefined {
  const { request, id } = session
  const version = id.slice(-10).toLowerCase()
  if (request.returnUrl === undefined)
    return leadBack(session, undefined, `complete-${indicator}-${version}`)
  const url = new URL(request.returnUrl)
  url.searchParams.set('resultIndicator', indicator)
  url.searchParams.set('sessionVersion', version)
  return url.href
}

/** The merchant's address, else the page that opened the session, whose script reads `end` from the fragment. */
function leadBack({ openedBy }: CardSession, url: string | undefined, end: string) {
  return url ?? (openedBy && `${openedBy}#__hc-action-${end}`)
}
