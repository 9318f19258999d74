import { asksByPage } from '@malipo/kernel/rail-abilities'
import type { Answer } from '@malipo/runtime/answer'
import { displayText, type Html, html } from '@malipo/web/html'
import { nonceOf } from '@malipo/web/page-headers'
import type { Response } from 'express'
import type { PayerView } from './payer-view'
import { expiredScreen, paidScreen } from './end-screens'
import { pageAnswer } from './page-frame'
import { payerScript } from './payer-script'
import { type Screen, screenOf } from './screen'
import { failedScreen, startScreen, whatFailed } from './start-screen'
import {
  lookAgain,
  queuedScreen,
  unansweredScreen,
  unconfirmedScreen,
  waitingScreen,
} from './waiting-screen'
import { payForm } from './pay-form'

export function showPayerPage(
  view: PayerView,
  options: { readonly nowMs: number; readonly status: number; readonly response: Response },
): Answer {
  const { path, bill, texts } = view
  const screen = screenOf(bill, options.nowMs)
  const main = html`<main
    data-page="${path}"
    data-screen="${screen.name}"
    data-intent="${bill.intentId ?? ''}"
    data-attempt="${bill.attempt?.intentId ?? ''}"
    data-waited-ms="${'waitedMs' in screen ? screen.waitedMs : 0}"
    ${keepsLooking(screen) && html`data-looking`}
  >
    ${screen.name !== 'paid' && heading(view)} ${sectionOf(view, screen, options.nowMs)}
    <p class="announcement" role="status" data-announcement></p>
  </main>`
  return pageAnswer(
    options.status,
    {
      title: `${titleOf(view, screen)}: ${view.amount}`,
      texts,
      path,
      main,
      head: headOf(view, screen, options),
      script: payerScript,
    },
    options.response,
  )
}

/** The reload where the script does not run. */
function headOf(
  { bill }: PayerView,
  screen: Screen,
  { nowMs, response }: { readonly nowMs: number; readonly response: Response },
): Html | undefined {
  if (!changesByItself(screen)) return undefined
  const hasForm = screen.name === 'reported' && hasReportedForm(bill, screen, nowMs)
  return lookAgain(nonceOf(response), hasForm)
}

/** Whether a payment is being confirmed, so that the page keeps looking after it has stopped polling. */
function keepsLooking(screen: Screen): boolean {
  return screen.name === 'reported' || (screen.name === 'unconfirmed' && 'waitedMs' in screen)
}

/** Whether the page shows the result without a press, as soon as there is one. */
function changesByItself(screen: Screen): boolean {
  return 'waitedMs' in screen || keepsLooking(screen)
}

/** The status in the page's title, for the tab and for screen readers. */
function titleOf(view: PayerView, screen: Screen): string {
  const { texts, payee } = view
  switch (screen.name) {
    case 'start':
      return texts.start.title(payee)
    case 'failed':
      return whatFailed(view, screen)[0]
    case 'paid':
      return screen.isReturned ? texts.paid.returned.title : texts.paid.title
    case 'waiting':
      return asksByPage(screen.attempt.rail) ? texts.card.waiting : texts.waiting.title
    case 'unanswered':
      return texts.unanswered.title(texts.rails[screen.attempt.rail])
    default:
      return texts[screen.name].title
  }
}

function heading({ bill, texts, payee, amount, price }: PayerView): Html {
  return html`<header class="bill">
    <h1>
      <span class="payee">${texts.start.title(payee)}</span>
      <span class="amount">${amount}</span>
    </h1>
    ${price !== undefined && html`<p class="about">${texts.rounding.charged(price, amount)}</p>`}
    ${bill.description !== undefined && html`<p class="about">${displayText(bill.description)}</p>`}
  </header>`
}

function sectionOf(view: PayerView, screen: Screen, nowMs: number): Html {
  switch (screen.name) {
    case 'start':
      return startScreen(view, screen, nowMs)
    case 'queued':
      return queuedScreen(view, screen)
    case 'waiting':
      return waitingScreen(view, screen)
    case 'unanswered':
      return unansweredScreen(view, screen)
    case 'reported':
      return reportedScreen(view, screen, nowMs)
    case 'unconfirmed':
      return unconfirmedScreen(view, screen)
    case 'failed':
      return failedScreen(view, screen, nowMs)
    case 'paid':
      return paidScreen(view, screen)
    case 'expired':
      return expiredScreen(view, screen)
  }
}

type ReportedScreen = Screen & { name: 'reported' }

/** The report holds the checkout open past its expiry, and beside an open prompt: a new prompt is refused then. */
function hasReportedForm(
  { expiresAt }: PayerView['bill'],
  { isPromptOpen }: ReportedScreen,
  nowMs: number,
): boolean {
  return !isPromptOpen && (expiresAt === undefined || nowMs < expiresAt.getTime())
}

/** Shown for a payment from the menu that was reported and is not confirmed. It must prevent a second payment. */
function reportedScreen(view: PayerView, screen: ReportedScreen, nowMs: number): Html {
  const { reported, unconfirmed, start, payBill } = view.texts
  return html`<section class="panel">
    <div class="notice warn" role="status">
      <h2 tabindex="-1" data-focus>${reported.title}</h2>
      <p>${reported.text}</p>
      ${screen.isPromptOpen && html`<p class="strong">${payBill.once}</p>`}
    </div>
    <a class="button" href="${view.path}">${unconfirmed.again}</a>
    ${
      hasReportedForm(view.bill, screen, nowMs) &&
      html`<details class="help">
        <summary>${unconfirmed.heldRetry}</summary>
        <p>${unconfirmed.retryText}</p>
        ${payForm(view, start.pay(view.amount))}
      </details>`
    }
  </section>`
}
