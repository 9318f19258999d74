import { type Html, html } from '@malipo/web/html'
import type { Attempt } from '../clients/checkout'
import type { CheckoutView } from './checkout-view'
import type { Screen } from './screen'
import { phoneTail } from './show-values'
import { payForm } from './start-screen'

/** What to do on the phone, and help for the phone that stays silent. */
export function waitingScreen(view: CheckoutView, screen: Screen & { name: 'waiting' }): Html {
  const { waiting } = view.texts
  const { attempt } = screen
  return html`<section class="panel">
      <div role="status">
        <h2 tabindex="-1" data-focus>${waiting.title}</h2>
        <p>${waiting.sent(phoneTail(attempt.phone))}</p>
      </div>
      <ol class="steps">
        ${waiting.steps(view.payee, view.amount).map((step) => html`<li>${step}</li>`)}
      </ol>
      <p class="listening">
        <span class="pulse" aria-hidden="true"></span>
        <span>
          ${waiting.listening}
          <span
            data-countdown
            data-one="${waiting.countdown.one}"
            data-other="${waiting.countdown.other}"
            aria-hidden="true"
          ></span>
        </span>
      </p>
    </section>
    <details class="aside help" data-help>
      <summary>${waiting.missing}</summary>
      <ul>
        ${missingSteps(view, attempt).map((step) => html`<li>${step}</li>`)}
      </ul>
    </details>`
}

function missingSteps({ texts }: CheckoutView, { rail }: Attempt): readonly string[] {
  const { missingSteps: steps, menu, otherNumberText } = texts.waiting
  const dial = rail === 'card' || rail === 'paybill' ? undefined : menu[rail]
  return [...steps, ...(dial === undefined ? [] : [dial]), otherNumberText]
}

/** Without JavaScript the page looks again by itself. */
export const lookAgain = html`<noscript><meta http-equiv="refresh" content="5" /></noscript>`

/** Neither yes nor no: the one thing to prevent is a second payment. */
export function unconfirmedScreen(
  view: CheckoutView,
  screen: Screen & { name: 'unconfirmed' },
): Html {
  const { unconfirmed, start } = view.texts
  const { attempt, mayPayAgain } = screen
  return html`<section class="panel">
    <div class="notice warn" role="status">
      <h2 tabindex="-1" data-focus>${unconfirmed.title}</h2>
      <p>${unconfirmed.text(phoneTail(attempt.phone))}</p>
    </div>
    <a class="button" href="/c/${view.checkout.checkoutId}">${unconfirmed.again}</a>
    ${
      mayPayAgain &&
      html`<details class="help">
        <summary>${unconfirmed.retry}</summary>
        <p>${unconfirmed.retryText}</p>
        ${payForm(view, start.pay(view.amount))}
      </details>`
    }
  </section>`
}
