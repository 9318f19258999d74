import { errors, type Fault, type Reason } from '@malipo/kernel/errors'
import { isCheckoutId } from '@malipo/kernel/ids'
import type { Answer } from '@malipo/runtime/answer'
import { faultHeaders } from '@malipo/runtime/present-fault'
import { html } from '@malipo/web/html'
import type { Response } from 'express'
import { pageAnswer } from './page-frame'
import { seePage } from './see-page'
import { chooseTexts, countText } from './texts/choose-texts'
import type { RefusalName } from './texts/texts'

/** What the payer is told of each refusal; `page` where the payer page itself shows what is the case. */
const refusals: Readonly<Partial<Record<Reason, RefusalName | 'page'>>> = {
  invalid_request: 'wrong_request',
  origin_not_allowed: 'wrong_request',
  rate_limited: 'too_many',
  checkout_not_found: 'not_found',
  checkout_paid: 'page',
  checkout_expired: 'page',
  idempotency_mismatch: 'page',
  amount_outside_limits: 'cents',
  ledger_unavailable: 'unavailable',
}

/** The one place where a fault becomes an answer of the payer pages. */
export function presentFaultPage(fault: Fault, _requestId: string, response: Response): Answer {
  const id = String(response.req.params['id'])
  const isPage = isCheckoutId(id)
  const name = nameOf(fault)
  if (name === 'page') return seePage(id)
  const texts = chooseTexts(response.req)
  const { title, text, retry } = texts.refusals[isPage ? name : 'not_found']
  const seconds = fault.facts['retry_after_seconds']
  const wait =
    typeof seconds === 'number' && countText(texts, texts.retryAfter, Math.ceil(seconds / 60))
  const main = html`<main data-screen="refused">
    <section class="panel">
      <div class="notice" role="alert">
        <h1>${title}</h1>
        <p>${text}</p>
        ${wait !== false && html`<p class="strong">${wait}</p>`}
      </div>
      ${isPage && retry !== undefined && html`<a class="button quiet" href="/c/${id}">${retry}</a>`}
    </section>
  </main>`
  const status = isPage ? errors[fault.reason].http : 404
  const path = isPage ? `/c/${id}` : undefined
  return pageAnswer(status, { title, texts, path, main }, response, faultHeaders(fault))
}

function nameOf(fault: Fault): RefusalName | 'page' {
  // The form names no rail: when that is what was not accepted, none is switched on here.
  if (fault.facts['field'] === 'rail') return 'rail_off'
  return refusals[fault.reason] ?? 'broken'
}
