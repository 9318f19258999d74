import type { Attempt } from '@malipo/ledger-client/checkouts'
import { hiddenField } from '@malipo/web/fields'
import { type Html, html } from '@malipo/web/html'
import type { PayerView } from './payer-view'
import type { Screen } from './screen'
import { minuteUp } from './show-values'

/** The card button, with its cost before the payer leaves. Empty where no card is taken. */
export function cardPanel({ card, startPath, texts, form }: PayerView): Html | undefined {
  if (card === undefined) return undefined
  return html`<section class="panel card">
    <h2>${texts.card.title}</h2>
    <p>${texts.card.terms(card.fee, card.total)}</p>
    <form method="post" action="${startPath}/card">
      ${hiddenField('key', form.key)}
      <button class="button quiet">${texts.card.pay(card.total)}</button>
    </form>
    <p class="safety">${texts.card.safety}</p>
  </section>`
}

/** Shown while the payer is at the card gateway, or has returned and the result is being queried. */
export function cardWaitingScreen(view: PayerView, { attempt }: { attempt: Attempt }): Html {
  const { card, waiting } = view.texts
  return html`<section class="panel">
    <div role="status">
      <h2 tabindex="-1" data-focus>${card.waiting}</h2>
      <p>${card.waitingText}</p>
    </div>
    <div class="listening">
      <span class="pulse" aria-hidden="true"></span>
      <p data-listening data-offline="${waiting.offline}">${card.listening}</p>
    </div>
    ${goOn(view, attempt)}
  </section>`
}

/** Shown when the card gateway has given no result. */
export function cardUnconfirmedScreen(
  view: PayerView,
  { attempt, mayPayAgain }: Screen & { name: 'unconfirmed' },
): Html {
  const { card, unconfirmed } = view.texts
  return html`<section class="panel">
    <div class="notice warn" role="status">
      <h2 tabindex="-1" data-focus>${unconfirmed.title}</h2>
      <p>${card.unconfirmed}</p>
    </div>
    <a class="button" href="${view.path}">${unconfirmed.again}</a>
    ${!mayPayAgain && goOn(view, attempt)}
  </section>`
}

/** No other way to pay is offered until the card page has closed, as the payer may still pay on it. */
function goOn({ startPath, texts, times, cardPageUntil }: PayerView, { intentId }: Attempt): Html {
  const path = `${startPath}/card/${intentId}`
  const until = cardPageUntil && texts.card.until(times.clock(minuteUp(cardPageUntil)))
  return html`${until !== undefined && html`<p>${until}</p>`}
    <a class="button quiet" href="${path}" rel="noreferrer">${texts.card.goOn}</a>`
}
