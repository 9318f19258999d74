import { majorText } from '@malipo/kernel/money'
import { type Html, html } from '@malipo/web/html'
import type { CheckoutView } from './checkout-view'

/** For a phone that gets no prompt: what to type in its own menu. Nothing where there is no such menu. */
export function payBillSteps({ payBill, texts, checkout }: CheckoutView): Html | undefined {
  if (payBill === undefined) return undefined
  const { business_number: business, account_number: account } = payBill
  const steps = texts.payBill.steps({ business, account, amount: majorText(checkout.amountMinor) })
  return html`<details class="aside help">
    <summary>${texts.payBill.title}</summary>
    <ol>
      ${steps.map((step) => html`<li>${step}</li>`)}
    </ol>
    <p>${texts.payBill.change}</p>
  </details>`
}
