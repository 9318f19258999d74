import { type Html, html } from '@malipo/web/html'
import type { PayerView } from './payer-view'
import { payForm } from './pay-form'

/** A payment from the menu was reported and is not confirmed; the page must prevent a second payment. */
export function reportedScreen(view: PayerView): Html {
  const { reported, unconfirmed, start } = view.texts
  return html`<section class="panel">
    <div class="notice warn" role="status">
      <h2 tabindex="-1" data-focus>${reported.title}</h2>
      <p>${reported.text}</p>
    </div>
    <a class="button" href="${view.path}">${unconfirmed.again}</a>
    <details class="help">
      <summary>${unconfirmed.heldRetry}</summary>
      <p>${unconfirmed.retryText}</p>
      ${payForm(view, start.pay(view.amount))}
    </details>
  </section>`
}
