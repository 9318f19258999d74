import { majorText } from '@malipo/kernel/money'
import { type Html, html } from '@malipo/web/html'
import type { Texts } from './texts/texts'
import type { PayerView } from './payer-view'

/** For a phone that gets no prompt: what to type in its own menu, folded away. Nothing where there is no such menu. */
export function payBillSteps(view: PayerView): Html | undefined {
  const steps = payBillList(view)
  if (steps === undefined) return undefined
  return html`<details class="aside help" data-menu>
    <summary>${view.texts.payBill.title}</summary>
    ${steps}
  </details>`
}

/** The same where it is the way that is left: open, and before everything else. */
export function payBillFirst(view: PayerView): Html | undefined {
  const steps = payBillList(view)
  if (steps === undefined) return undefined
  return html`<div class="help" data-menu>
    <h2>${view.texts.payBill.insteadOfPrompt}</h2>
    ${steps}
  </div>`
}

export function payBillList({ payBill, texts, bill, path }: PayerView): Html | undefined {
  if (payBill === undefined) return undefined
  const { open, business, account, amount, pin, exact, check } = texts.payBill
  return html`<ol>
      <li>${open}</li>
      <li>${typed(texts, business, payBill.business_number)}</li>
      <li>${typed(texts, account, payBill.account_number)}</li>
      <li>${typed(texts, amount, majorText(bill.amountMinor))}</li>
      <li>${pin}</li>
    </ol>
    <p>${exact}</p>
    <a class="button quiet" href="${path}">${check}</a>`
}

/** What the payer types, with a button that copies it where scripts run. */
export function typed({ payBill }: Texts, name: string, value: string): Html {
  return html`<span class="typed">
    <span>${name} <b>${value}</b></span>
    <button
      class="copy"
      type="button"
      aria-label="${payBill.copy}: ${name}"
      data-copy="${value}"
      data-copied="${payBill.copied}"
    >
      ${payBill.copy}
    </button>
  </span>`
}
