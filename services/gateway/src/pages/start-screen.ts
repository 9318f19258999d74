import type { Rail } from '@malipo/kernel/countries'
import { type Html, html } from '@malipo/web/html'
import { cardPanel } from './card-panel'
import { doubt } from './end-screens'
import type { PayerView } from './payer-view'
import { handleStepsFirst, payBillFirst, payBillSteps } from './pay-bill-steps'
import { payForm, payWords } from './pay-form'
import type { Screen } from './screen'
import { countText } from './texts/choose-texts'
import type { CauseText, CauseTexts } from './texts/texts'

/** After this many failed prompts the Pay Bill menu is shown first. */
const failuresBeforeMenu = 3

/** The form has one field and one button, and comes first. */
export function startScreen(
  view: PayerView,
  screen: Screen & { name: 'start' },
  nowMs: number,
): Html {
  const { texts } = view
  return html`<section class="panel">
      ${screen.isFoundUnpaid && foundUnpaid(view)} ${doubt(view, screen)}
      ${payForm(view, payWords(view))}
      <p class="safety">${texts.start.safety}</p>
      ${continueOnPhone(view)}
    </section>
    ${cardPanel(view)} ${timeLeft(view, nowMs)} ${payBillSteps(view)}`
}

/** Shown to a payer whose reported payment was found not to be made, and who may pay now. */
function foundUnpaid({ texts }: PayerView): Html {
  const { title, text } = texts.foundUnpaid
  return html`<div class="notice" role="status">
    <h2 tabindex="-1" data-focus>${title}</h2>
    <p>${text}</p>
  </div>`
}

/** Why the payment failed, what to do about it, and the form again, or the menu when prompts have failed too often. */
export function failedScreen(
  view: PayerView,
  screen: Screen & { name: 'failed' },
  nowMs: number,
): Html {
  const { failed, start } = view.texts
  const [title, advice] = whatFailed(view, screen)
  const hasFailedOften = view.bill.failedAttempts >= failuresBeforeMenu
  const menuFirst = hasFailedOften ? (payBillFirst(view) ?? handleStepsFirst(view)) : undefined
  const form = payForm(view, failed.retry)
  return html`<section class="panel">
      <div class="notice bad" role="alert">
        <h2 tabindex="-1" data-focus>${title}</h2>
        <p>${advice}</p>
        ${screen.noMoneyTaken && html`<p class="strong">${failed.noMoneyTaken}</p>`}
      </div>
      ${doubt(view, screen)}
      ${
        menuFirst !== undefined
          ? html`${menuFirst}
              <details class="help">
                <summary>${failed.retry}</summary>
                ${form}
              </details>`
          : form
      }
      <p class="safety">${start.safety}</p>
      ${continueOnPhone(view)}
    </section>
    ${cardPanel(view)} ${timeLeft(view, nowMs)} ${menuFirst === undefined && payBillSteps(view)}`
}

/** The cause of the failure and its remedy; some causes differ by rail. */
export function whatFailed(
  { texts }: PayerView,
  { attempt, cause }: Screen & { name: 'failed' },
): ReturnType<CauseText> {
  const { card, failed, rails } = texts
  const ofRails: Readonly<Record<Rail, Partial<CauseTexts>>> = {
    ...failed.railCauses,
    card: card.causes,
    mpesa: {},
    paybill: {},
  }
  return { ...failed.causes, ...ofRails[attempt.rail] }[cause](rails[attempt.rail])
}

/** The minutes left when the page was opened; the clock time beside them stays right. */
function timeLeft({ texts, times, bill }: PayerView, nowMs: number): Html | false {
  if (bill.expiresAt === undefined) return false
  const minutes = Math.max(1, Math.floor((bill.expiresAt.getTime() - nowMs) / 60_000))
  const within = texts.start.within(times.clock(bill.expiresAt))
  return html`<p class="aside">${countText(texts, within, minutes)}</p>`
}

/** The QR code for a payer at a computer. Hidden on narrow screens, which therefore never load it. */
export function continueOnPhone({
  texts,
  startPath,
}: Pick<PayerView, 'texts' | 'startPath'>): Html {
  return html`<aside class="scan">
    <img src="${startPath}/qr.svg" width="160" height="160" loading="lazy" alt="" />
    <p>${texts.start.scan}</p>
  </aside>`
}
