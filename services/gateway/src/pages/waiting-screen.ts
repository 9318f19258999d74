import { type Html, html } from '@malipo/web/html'
import type { Attempt } from '../clients/checkout'
import { cardUnconfirmedScreen, cardWaitingScreen } from './card-panel'
import type { PayerView } from './payer-view'
import { payBillList } from './pay-bill-steps'
import { payForm } from './pay-form'
import type { Screen } from './screen'
import { phoneTail } from './show-values'
import { countText } from './texts/choose-texts'

/** As long as providers leave a prompt open, about. */
const promptSeconds = 60
/** After which a phone that has shown nothing needs help. */
const helpAfterMs = 20_000

/** What to do on the phone, and help for the phone that stays silent. */
export function waitingScreen(view: PayerView, screen: Screen & { name: 'waiting' }): Html {
  const { texts, payee, amount } = view
  const { waiting } = texts
  const { attempt, waitedMs } = screen
  if (attempt.rail === 'card') return cardWaitingScreen(view, screen)
  return html`<section class="panel">
      <div role="status">
        <h2 tabindex="-1" data-focus>${waiting.title}</h2>
        <p>${waiting.sent(phoneTail(attempt.phone))}</p>
      </div>
      <ol class="steps">
        ${waiting.steps(payee, amount, attempt.attemptReference).map((step) => html`<li>${step}</li>`)}
      </ol>
      <div class="listening timed">
        <span class="pulse" aria-hidden="true"></span>
        <p data-listening data-offline="${waiting.offline}">${waiting.listening}</p>
        ${countdown(view, waitedMs)}
      </div>
    </section>
    <details class="aside help">
      <summary>${waiting.otherNumber}</summary>
      <p>${waiting.otherNumberText}</p>
    </details>
    <details
      class="aside help"
      data-help
      ${view.payBill !== undefined && html`data-menu`}
      ${waitedMs > helpAfterMs && html`open`}
    >
      <summary>${waiting.missing}</summary>
      <ul>
        ${missingSteps(view, attempt).map((step) => html`<li>${step}</li>`)}
      </ul>
      ${menuInstead(view)}
    </details>`
}

/** A phone shows one prompt at a time. The payer can end the one that is open, and the script polls meanwhile. */
export function queuedScreen({ texts }: PayerView, { attempt }: Screen & { name: 'queued' }): Html {
  const { queued, waiting } = texts
  return html`<section class="panel">
    <div role="status">
      <h2 tabindex="-1" data-focus>${queued.title}</h2>
      <p>${queued.text(phoneTail(attempt.phone))}</p>
    </div>
    <p>${queued.advice}</p>
    <div class="listening">
      <span class="pulse" aria-hidden="true"></span>
      <p data-listening data-offline="${waiting.offline}">${queued.listening}</p>
    </div>
  </section>`
}

/** Counted on by the script; read aloud by it now and then, and not every second. */
function countdown({ texts }: PayerView, waitedMs: number): Html {
  const { countdown: counted, ranOut } = texts.waiting
  const left = promptSeconds - Math.floor(waitedMs / 1_000)
  return html`<p
    data-countdown
    data-one="${counted.one}"
    data-other="${counted.other}"
    data-ran-out="${ranOut}"
  >
    ${left > 0 ? countText(texts, counted, left) : ranOut}
  </p>`
}

function missingSteps({ texts }: PayerView, { rail }: Attempt): readonly string[] {
  const { missingSteps: steps, menu } = texts.waiting
  const dial = rail === 'card' || rail === 'paybill' ? undefined : menu[rail]
  return [...steps, ...(dial === undefined ? [] : [dial])]
}

function menuInstead(view: PayerView): Html | undefined {
  const steps = payBillList(view)
  if (steps === undefined) return undefined
  const { title, once } = view.texts.payBill
  return html`<h3>${title}</h3>
    ${steps}
    <p class="strong">${once}</p>`
}

/** Without JavaScript the page looks again by itself. */
export const lookAgain = html`<noscript><meta http-equiv="refresh" content="5" /></noscript>`

/** Neither yes nor no: the one thing to prevent is a second payment. */
export function unconfirmedScreen(view: PayerView, screen: Screen & { name: 'unconfirmed' }): Html {
  const { unconfirmed } = view.texts
  const { attempt, isHeld, mayPayAgain } = screen
  const retry = mayPayAgain && payAgain(view, isHeld)
  if (!isHeld && attempt.rail === 'card')
    return html`${cardUnconfirmedScreen(view, screen)} ${retry}`
  return html`<section class="panel">
    <div class="notice warn" role="status">
      <h2 tabindex="-1" data-focus>${unconfirmed.title}</h2>
      <p>${isHeld ? unconfirmed.held : unconfirmed.text(phoneTail(attempt.phone))}</p>
    </div>
    <a class="button" href="${view.path}">${unconfirmed.again}</a>
    ${retry}
  </section>`
}

/** For those who know that they have not paid. */
function payAgain(view: PayerView, isHeld: boolean): Html {
  const { unconfirmed, start, handle } = view.texts
  // Where the payer says how much, the button cannot know it.
  const button = view.form.amount === undefined ? start.pay(view.amount) : handle.pay
  return html`<details class="help">
    <summary>${isHeld ? unconfirmed.heldRetry : unconfirmed.retry}</summary>
    <p>${unconfirmed.retryText}</p>
    ${payForm(view, button)}
  </details>`
}
