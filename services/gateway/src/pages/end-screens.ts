import { displayText, type Html, html } from '@malipo/web/html'
import type { PayerView } from './payer-view'
import type { Screen } from './screen'
import { countText } from './texts/choose-texts'

/** The receipt, with the link to the shop, and a countdown just after the payment. */
export function paidScreen(
  view: PayerView,
  { isReturned, isFresh }: Screen & { name: 'paid' },
): Html {
  const { bill, texts, payee, amount, price, cardPaid } = view
  const { paid, card } = texts
  const rows: readonly (readonly [string, string])[] = [
    // The charge to the card comes first, as the payer finds that amount on the bank statement.
    ...(cardPaid === undefined ? [] : [[card.paid, cardPaid.total] as const]),
    [paid.amount, amount],
    ...(price === undefined ? [] : [[texts.rounding.price, price] as const]),
    ...(cardPaid === undefined ? [] : [[card.fee, cardPaid.fee] as const]),
    [paid.to, payee],
    ...(bill.description === undefined ? [] : [[paid.for, displayText(bill.description)] as const]),
    ...(bill.completedAt === undefined
      ? []
      : [[paid.at, view.times.date(bill.completedAt)] as const]),
  ]
  return html`<section class="panel">
    ${isReturned ? returned(view) : done(view)}
    <dl class="receipt">
      ${rows.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    ${!isReturned && wayBack(view, isFresh)}
    <button class="button quiet" type="button" data-print>${paid.print}</button>
  </section>`
}

function done({ texts }: PayerView): Html {
  return html`<div class="done" role="status">
    ${tick}
    <h1 tabindex="-1" data-focus>${texts.paid.title}</h1>
  </div>`
}

/** A receipt must not show money that has gone back as paid. */
function returned({ texts }: PayerView): Html {
  const { title, text } = texts.paid.returned
  return html`<div class="notice warn" role="status">
    <h1 tabindex="-1" data-focus>${title}</h1>
    <p>${text}</p>
  </div>`
}

/** The value from which the script counts down. */
const forwardAfterSeconds = 5

function wayBack({ bill, texts }: PayerView, isFresh: boolean): Html {
  const { paid } = texts
  const redirect = bill.redirectUrl
  if (redirect === undefined) return html`<p class="aside">${paid.close}</p>`
  const { host } = new URL(redirect)
  const { one, other } = paid.forwarding(host)
  return html`<a class="button" href="${redirect}" rel="noreferrer" data-back
      >${paid.forward(host)}</a
    >
    ${
      isFresh &&
      html`<p class="forwarding" data-forwarding>
        <span data-one="${one}" data-other="${other}"
          >${countText(texts, { one, other }, forwardAfterSeconds)}</span
        >
        <button class="link" type="button" data-stay>${paid.stay}</button>
      </p>`
    }`
}

const tick = html`<svg class="tick" viewBox="0 0 52 52" aria-hidden="true">
  <circle cx="26" cy="26" r="24" />
  <path d="M15 27l8 8 15-17" />
</svg>`

/** The menu takes the money of a payer who has begun there, and it completes the expired checkout. */
export function expiredScreen(view: PayerView, screen: Screen & { name: 'expired' }): Html {
  const { expired, payBill } = view.texts
  const hasMenu = view.payBill !== undefined
  return html`<section class="panel">
    <div class="notice" role="status">
      <h2 tabindex="-1" data-focus>${expired.title}</h2>
      <p>${(hasMenu ? expired.menuText : expired.text)(view.payee)}</p>
    </div>
    ${doubt(view, screen)}
    ${hasMenu && html`<a class="button quiet" href="${view.path}" data-menu>${payBill.check}</a>`}
  </section>`
}

/** The warning that an earlier intent may have taken money, for a payer who is about to pay again. */
export function doubt(
  { texts, bill: { deniedRail } }: PayerView,
  { mayHavePaid }: { readonly mayHavePaid: boolean },
): Html | false {
  const denied = deniedRail === undefined ? undefined : texts.denied(texts.rails[deniedRail])
  const text = mayHavePaid ? texts.mayHavePaid : denied
  return text !== undefined && html`<p class="notice warn" role="note">${text}</p>`
}
