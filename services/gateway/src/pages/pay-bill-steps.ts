import { majorText } from '@malipo/kernel/money'
import { type Html, html } from '@malipo/web/html'
import type { CheckoutView } from './checkout-view'

/** For a phone that gets no prompt: what to type in its own menu. Nothing where there is no such menu. */
export function payBillSteps({ payBill, texts, checkout }: CheckoutView): Html | undefined {
  if (payBill === undefined) return undefined
  const { title, open, business, account, amount, pin, exact } = texts.payBill
  const typed = [
    [business, payBill.business_number],
    [account, payBill.account_number],
    [amount, majorText(checkout.amountMinor)],
  ]
  return html`<details class="aside help">
    <summary>${title}</summary>
    <ol>
      <li>${open}</li>
      ${typed.map(([name, value]) => html`<li>${name}: <b>${value}</b></li>`)}
      <li>${pin}</li>
    </ol>
    <p>${exact}</p>
  </details>`
}
