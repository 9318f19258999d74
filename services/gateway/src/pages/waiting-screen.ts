import { type Html, html } from '@malipo/web/html'
import type { MobileRail } from '@malipo/kernel/countries'
import { promptTimes } from '@malipo/kernel/prompts'
import { asksByPage, asksByPrompt } from '@malipo/kernel/rail-abilities'
import type { Attempt } from '@malipo/ledger-client/checkouts'
import { cardUnconfirmedScreen, cardWaitingScreen } from './card-panel'
import type { PayerView } from './payer-view'
import { handleStepsFirst, payBillFirst, payBillList } from './pay-bill-steps'
import { payForm, payWords } from './pay-form'
import type { Screen } from './screen'
import { minuteUp, phoneTail } from './show-values'
import { countText } from './texts/choose-texts'
import type { Texts } from './texts/texts'

/** After this long without a prompt, the page shows help. */
const helpAfterMs = 20_000

/** Instructions for the phone, and help when no prompt comes. */
export function waitingScreen(view: PayerView, screen: Screen & { name: 'waiting' }): Html {
  const { texts, payee, amount } = view
  const { waiting } = texts
  const { attempt, waitedMs, promptLeftMs } = screen
  if (asksByPage(attempt.rail)) return cardWaitingScreen(view, screen)
  return html`<section class="panel">
      <div role="status">
        <h2 tabindex="-1" data-focus>${waiting.title}</h2>
        <p>${waiting.sent(phoneTail(attempt.phone))}</p>
      </div>
      ${
        // Only of an earlier payment: the one that the page waits for has not ended.
        view.bill.mayHavePaid && html`<p class="notice warn" role="note">${texts.mayHavePaid}</p>`
      }
      <ol class="steps">
        ${waiting.steps(payee, amount, attempt.attemptReference).map((step) => html`<li>${step}</li>`)}
      </ol>
      <div class="listening timed">
        <span class="pulse" aria-hidden="true"></span>
        <p data-listening data-offline="${waiting.offline}">${waiting.listening}</p>
        ${countdown(view, promptLeftMs)}
      </div>
    </section>
    <details class="aside help">
      <summary>${waiting.otherNumber}</summary>
      <p>${waiting.otherNumberText(texts.rails[attempt.rail], waitsUntil(view, attempt))}</p>
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

/** A phone shows one prompt at a time. The payer can cancel the open one; the script polls meanwhile. */
export function queuedScreen(view: PayerView, { attempt }: Screen & { name: 'queued' }): Html {
  const { queued, waiting } = view.texts
  return html`<section class="panel">
    <div role="status">
      <h2 tabindex="-1" data-focus>${queued.title}</h2>
      <p>${queued.text(phoneTail(attempt.phone))}</p>
    </div>
    <p>${queued.until(waitsUntil(view, attempt))}</p>
    <p>${queued.advice}</p>
    <div class="listening">
      <span class="pulse" aria-hidden="true"></span>
      <p data-listening data-offline="${waiting.offline}">${queued.listening}</p>
    </div>
  </section>`
}

/** Above this many seconds the time is shown in minutes. */
const longSeconds = 90

/** The script counts this down, and announces it at intervals instead of every second. */
function countdown({ texts }: PayerView, promptLeftMs: number | undefined): Html {
  const { countdown: seconds, countdownMinutes: minutes, ranOut } = texts.waiting
  return html`<p
    data-countdown
    ${promptLeftMs !== undefined && html`data-left-ms="${promptLeftMs}"`}
    data-one="${seconds.one}"
    data-other="${seconds.other}"
    data-one-minute="${minutes.one}"
    data-other-minutes="${minutes.other}"
    data-ran-out="${ranOut}"
  >
    ${promptLeftMs !== undefined && timeLeft(texts, Math.ceil(promptLeftMs / 1_000))}
  </p>`
}

function timeLeft(texts: Texts, left: number): string {
  const { countdown: seconds, countdownMinutes: minutes, ranOut } = texts.waiting
  if (left > longSeconds) return countText(texts, minutes, Math.floor(left / 60))
  return left > 0 ? countText(texts, seconds, left) : ranOut
}

function missingSteps({ texts }: PayerView, { rail }: Attempt): readonly string[] {
  const { missingSteps: steps, menu } = texts.waiting
  const dial = asksByPrompt(rail) ? menu[rail] : undefined
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

/** The clock time of the intent's deadline, until which the payer can begin no other. */
function waitsUntil({ times }: PayerView, { rail, startedAt, deadlineAt }: Attempt): string {
  const lifeMs = rail in promptTimes ? promptTimes[rail as MobileRail].deadlineSeconds * 1_000 : 0
  const endsMs = deadlineAt?.getTime() ?? startedAt.getTime() + lifeMs
  return times.clock(minuteUp(new Date(endsMs)))
}

/** The push may or may not have been sent: the menu works now, and the payer must not pay both. */
export function unansweredScreen(
  view: PayerView,
  { attempt }: Screen & { name: 'unanswered' },
): Html {
  const { unanswered, unconfirmed, waiting, rails } = view.texts
  const rail = rails[attempt.rail]
  const menu = payBillFirst(view) ?? handleStepsFirst(view)
  return html`<section class="panel">
    <div class="notice warn" role="status">
      <h2 tabindex="-1" data-focus>${unanswered.title(rail)}</h2>
      <p>${unanswered.text(phoneTail(attempt.phone))}</p>
      <p class="strong">${menu === undefined ? unanswered.approve : unanswered.notBoth}</p>
    </div>
    ${menu}
    <p>${waiting.until(rail, waitsUntil(view, attempt))}</p>
    <a class="button quiet" href="${view.path}">${unconfirmed.again}</a>
  </section>`
}

/**
 * Reloads the page where its script does not run. `noscript` is for browsers without JavaScript, and would empty a form
 * that the payer is typing into. A browser that is too old for the page's script ignores both, so a second script, in
 * syntax that every browser knows, reloads it there.
 */
export function lookAgain(nonce: string, hasForm: boolean): Html {
  return html`${!hasForm && html`<noscript><meta http-equiv="refresh" content="5" /></noscript>`}
    <script nonce="${nonce}">
      addEventListener('load', function () {
        if (!window.isScripted)
          setInterval(function () {
            // What the payer has opened, and may be typing into, stays. Not reload(), which would send a form again.
            if (!document.querySelector('details[open]')) location.replace(location.href)
          }, 5000)
      })
    </script>`
}

/** The result is unknown: the page must prevent a second payment. */
export function unconfirmedScreen(view: PayerView, screen: Screen & { name: 'unconfirmed' }): Html {
  const { unconfirmed, waiting, rails } = view.texts
  const { attempt, isHeld, isReported, mayPayAgain, isPromptOpen = false } = screen
  const retry = mayPayAgain && payAgain(view, screen)
  if (!isHeld && !isReported && asksByPage(attempt.rail))
    return html`${cardUnconfirmedScreen(view, screen)} ${retry}`
  return html`<section class="panel">
    <div class="notice warn" role="status">
      <h2 tabindex="-1" data-focus>${unconfirmed.title}</h2>
      <p>${whatIsChecked(view, screen)}</p>
      ${isPromptOpen && html`<p class="strong">${view.texts.payBill.once}</p>`}
    </div>
    ${
      // No new prompt is offered for a payment that is reported as paid.
      !mayPayAgain &&
      !isReported &&
      !isHeld &&
      html`<p>${waiting.until(rails[attempt.rail], waitsUntil(view, attempt))}</p>`
    }
    <a class="button" href="${view.path}">${unconfirmed.again}</a>
    ${retry}
  </section>`
}

function whatIsChecked(
  { texts }: PayerView,
  { attempt, isHeld, isReported, promptLeftMs }: Screen & { name: 'unconfirmed' },
): string {
  const { unconfirmed } = texts
  if (isHeld) return unconfirmed.held
  if (isReported) return unconfirmed.reported
  const tail = phoneTail(attempt.phone)
  return (promptLeftMs ?? 0) > 0 ? unconfirmed.stillOpen(tail) : unconfirmed.text(tail)
}

/** The form for payers who are sure that they have not paid, folded. */
function payAgain(view: PayerView, screen: Screen & { name: 'unconfirmed' }): Html {
  const { unconfirmed } = view.texts
  const { attempt, isHeld } = screen
  const menu = menuAfterPrompt(view, screen)
  const notPaid = asksByPage(attempt.rail) ? view.texts.card.retry : unconfirmed.retry
  return html`<details class="help">
    <summary>${isHeld ? unconfirmed.heldRetry : notPaid}</summary>
    <p>${menu === undefined ? unconfirmed.retryText : unconfirmed.retryOrMenuText}</p>
    ${payForm(view, payWords(view))} ${menu}
  </details>`
}

/** The menu for a push without an answer: the prompt may still come, and be paid as well. */
function menuAfterPrompt(
  view: PayerView,
  { attempt, isHeld, isReported }: Screen & { name: 'unconfirmed' },
): Html | undefined {
  if (isHeld || isReported || asksByPage(attempt.rail)) return undefined
  const menu = payBillFirst(view) ?? handleStepsFirst(view)
  return (
    menu &&
    html`${menu}
      <p class="strong">${view.texts.payBill.once}</p>`
  )
}
