import { errors, Fault, type Reason } from '@malipo/kernel/errors'
import { isCheckoutId, isHandle, isIntentId } from '@malipo/kernel/ids'
import { type Answer, jsonAnswer, redirectTo } from '@malipo/runtime/answer'
import { faultHeaders } from '@malipo/runtime/present-fault'
import { hiddenField } from '@malipo/web/fields'
import { type Html, html } from '@malipo/web/html'
import type { Request, Response } from 'express'
import type { Gateway } from '../operation'
import { ratePolicies } from '../limits/rate-policies'
import type { PayerView } from './payer-view'
import { pageAnswer } from './page-frame'
import { payBillFirst } from './pay-bill-steps'
import { payerScript } from './payer-script'
import { sentForm } from './read-form'
import { sendsFromScript } from './refuse-fields'
import { screenOf } from './screen'
import { chooseTexts, countText } from './texts/choose-texts'
import type { RefusalName, Texts } from './texts/texts'

export type PresentFaultPage = (
  fault: Fault,
  requestId: string,
  response: Response,
) => Promise<Answer>

/** The text for each refusal; `page` where the payer page itself shows the state. */
const refusals: Readonly<Partial<Record<Reason, RefusalName | 'page'>>> = {
  invalid_request: 'wrong_request',
  origin_not_allowed: 'wrong_request',
  checkout_not_found: 'not_found',
  checkout_paid: 'page',
  checkout_expired: 'page',
  payment_in_progress: 'page',
  card_off: 'page',
  idempotency_mismatch: 'page',
  intent_not_found: 'not_found',
  handle_not_found: 'not_found',
  ledger_unavailable: 'unavailable',
  unavailable: 'unavailable',
}

/** Refusals for too many presses. They come before the look-up of the payment that an earlier press may have begun. */
const overLimit: readonly RefusalName[] = ['too_many', 'too_many_cards']

/** Refusals of a press after which the Pay Bill menu still works. */
const withoutPrompt: readonly RefusalName[] = [...overLimit, 'busy', 'rail_off']

/** The only place that turns a fault into a payer page. */
export function openPresentFaultPage({
  limitAddress,
  loadCheckout,
  clock,
}: Pick<Gateway, 'limitAddress' | 'loadCheckout' | 'clock'>): PresentFaultPage {
  /**
   * The Pay Bill steps are optional: the refusal is shown even when they cannot be loaded. Loading them counts as a
   * page view, because an address may go on pressing when it is over its limit.
   */
  const checkoutForMenu = async (response: Response, name: RefusalName, texts: Texts) => {
    const { method, params } = response.req
    const id = String(params['id'])
    if (method !== 'POST' || !withoutPrompt.includes(name) || !isCheckoutId(id)) return undefined
    return limitAddress(response.req, response, ratePolicies.page)
      .then(() => loadCheckout(id, texts))
      .catch(() => undefined)
  }
  /** A route that starts a payment has one fault for unknown checkouts and closed payees, so the checkout is read. */
  const isPayeeClosed = async ({ method, params }: Request, fault: Fault, texts: Texts) => {
    if (fault.reason !== 'checkout_not_found') return false
    const id = String(params['id'])
    // A route of handles gives this fault only for a payee that exists and cannot be paid now.
    if (!isCheckoutId(id)) return true
    return method === 'GET'
      ? isOfClosedPayee(fault)
      : loadCheckout(id, texts).then(() => false, isOfClosedPayee)
  }
  const nameOfPage = async (request: Request, fault: Fault, texts: Texts) => {
    if (await isPayeeClosed(request, fault, texts)) return 'payee_closed'
    const shown = nameOf(fault, request)
    return pathOf(request) === undefined || shown === 'page' ? 'not_found' : shown
  }
  return async (fault, _requestId, response) => {
    const request = response.req
    const path = pathOf(request)
    if (path !== undefined && nameOf(fault, request) === 'page') return redirectTo(path)
    const texts = chooseTexts(request)
    const name = await nameOfPage(request, fault, texts)
    const view = await checkoutForMenu(response, name, texts)
    const nowMs = clock.now()
    if (view !== undefined && !hasForm(view, nowMs)) return redirectTo(view.path)
    const wait = waitText(fault, texts, view, nowMs)
    const warning = warningText(name, request, texts, view)
    const [menu, form] = [view && menuOf(view, nowMs), formToSendAgain(name, fault, request)]
    const shown = { texts, name, path, warning, wait, menu, form }
    const status = path === undefined ? 404 : errors[fault.reason].http
    if (sendsFromScript(request)) return jsonAnswer(status, forScript(shown), faultHeaders(fault))
    const { title } = texts.refusals[name]
    const main = refusal(shown)
    const script = view && payerScript
    const headers = { ...faultHeaders(fault), ...(isPassing(name, request) && askAgain) }
    const framed = { title, texts, path, holdsPress: form !== undefined, main, script }
    return pageAnswer(status, framed, response, headers)
  }
}

/** Whether the screen has the form. Any other shows a payment under way or over, or that the checkout has expired. */
function hasForm({ bill }: PayerView, nowMs: number): boolean {
  const screen = screenOf(bill, nowMs)
  if (screen.name === 'unconfirmed') return screen.mayPayAgain
  if (screen.name === 'reported') return !screen.isPromptOpen
  return screen.name === 'start' || screen.name === 'failed'
}

/** The Pay Bill steps, unless an earlier payment may still take money: a payer who uses both pays twice. */
function menuOf(view: PayerView, nowMs: number): Html | undefined {
  const screen = screenOf(view.bill, nowMs)
  const isOver = screen.name === 'start' || screen.name === 'failed'
  return isOver && !screen.mayHavePaid ? payBillFirst(view) : undefined
}

/** For a press that is refused before the payment that it may have begun is found. */
function warningText(
  name: RefusalName,
  { method, params }: Request,
  texts: Texts,
  view: PayerView | undefined,
): string | undefined {
  if (overLimit.includes(name)) return view === undefined ? texts.start.lost.ifEntered : undefined
  // The form was sent from a page of this handle, which existed then: its link is closed now.
  const isOfLink = name === 'not_found' && method === 'POST' && 'handle' in params
  return isOfLink ? texts.refusals.payee_closed.text : undefined
}

/** A payer who waits may have come here through the script, so the page reloads without a press. */
const askAgain = { Refresh: '5' }

function isPassing(name: RefusalName, { method }: Request): boolean {
  return name === 'unavailable' && method === 'GET'
}

/** The page to look at again, or to begin from; undefined for an unknown address. */
function pathOf({ params }: Request): string | undefined {
  const part = (name: string) => String(params[name] ?? '')
  const [id, handle, intent] = [part('id'), part('handle'), part('intent')]
  if (isCheckoutId(id)) return `/c/${id}`
  if (!isHandle(handle)) return undefined
  // The page of the handle has a new form, with which a payer who has begun a payment would pay twice.
  return isIntentId(intent) ? `/p/${handle}/${intent}` : `/p/${handle}`
}

interface Refusal {
  readonly texts: Texts
  readonly name: RefusalName
  readonly path: string | undefined
  readonly warning: string | undefined
  readonly wait: string | undefined
  readonly menu: Html | undefined
  readonly form: URLSearchParams | undefined
}

/** A press that may have begun a payment of a handle, which the page of the handle does not show. */
function formToSendAgain(
  name: RefusalName,
  { facts }: Fault,
  request: Request,
): URLSearchParams | undefined {
  // Over its address's limit a press does not reach the ledger, which may have begun a payment at an earlier try of it.
  const isUnknown =
    name === 'unavailable' || name === 'broken' || facts['policy'] === ratePolicies.pay.name
  return isUnknown && 'handle' in request.params ? sentForm(request) : undefined
}

function refusal(shown: Refusal): Html {
  const { texts, name, path, warning, wait, menu } = shown
  const { title, text } = texts.refusals[name]
  return html`<main data-screen="refused" data-page="${path ?? ''}">
    <section class="panel">
      <div class="notice" role="alert">
        <h1>${title}</h1>
        <p>${text}</p>
        ${warning !== undefined && html`<p>${warning}</p>`}
        ${wait !== undefined && html`<p class="strong">${wait}</p>`}
      </div>
      ${menu} ${wayOn(shown)}
    </section>
    <p class="announcement" role="status" data-announcement></p>
  </main>`
}

function wayOn({ texts, name, path, menu, form }: Refusal): Html | undefined {
  const { retry } = texts.refusals[name]
  if (path === undefined || retry === undefined) return undefined
  if (form === undefined)
    return html`<a class="${menu === undefined ? 'button' : 'button quiet'}" href="${path}"
      >${retry}</a
    >`
  return html`<form method="post" action="${path}/pay">
    ${[...form].map(([field, value]) => hiddenField(field, value))}
    <button class="button">${texts.refusals.unavailable.retry}</button>
  </form>`
}

function forScript({ texts, name, warning, wait, menu }: Refusal) {
  const { title, text } = texts.refusals[name]
  return {
    title,
    text: [text, warning, wait].filter((line) => line !== undefined),
    // The script tries again by itself after this.
    ...(name === 'busy' && { busy: true }),
    // Without this the script leaves the menu folded: the outcome of a 503 or 500 is unknown.
    ...(menu !== undefined && { menu: true }),
  }
}

/** When to try again, or that the checkout will have expired by then. */
function waitText(
  fault: Fault,
  texts: Texts,
  view: PayerView | undefined,
  nowMs: number,
): string | undefined {
  const seconds = fault.facts['retry_after_seconds']
  // Only a rate limit names its wait: a refusal for load lasts seconds, and the text counts minutes.
  if (typeof seconds !== 'number' || fault.reason !== 'rate_limited') return undefined
  const expiresAt = view?.bill.expiresAt
  const isTooLate = expiresAt !== undefined && nowMs + seconds * 1_000 > expiresAt.getTime()
  if (isTooLate) return texts.retryTooLate(view?.payee ?? texts.unknownPayee)
  return countText(texts, texts.retryAfter, Math.ceil(seconds / 60))
}

/** Whether the ledger refused because the merchant cannot be paid now. The text then says that a payment is kept. */
function isOfClosedPayee(error: unknown): boolean {
  return error instanceof Fault && error.facts['payee'] === 'closed'
}

function nameOf(fault: Fault, { method, path }: Request): RefusalName | 'page' {
  if (fault.reason === 'rate_limited') {
    // A rate limit of page views must not mention prompts: many payers may share one address.
    if (method === 'GET') return 'too_many_looks'
    return path.endsWith('/card') ? 'too_many_cards' : 'too_many'
  }
  // The form does not name a rail: a refusal of the rail means that no rail is on here.
  if (fault.facts['field'] === 'rail') return 'rail_off'
  if (fault.facts['busy'] === true) return 'busy'
  return refusals[fault.reason] ?? 'broken'
}
