import { majorText, type Minor } from '@malipo/kernel/money'
import { type Html, html } from '@malipo/web/html'
import type { PayBillNumbers } from '../http/read-checkout'
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

/** How a handle is paid from the menu: as much as is said, or as the payer likes. The payer's phone confirms it, and no page. */
export function handleSteps(
  texts: Texts,
  { business_number, account_number }: PayBillNumbers,
  amountMinor?: Minor,
): Html {
  const { open, business, account, amount } = texts.payBill
  return html`<ol>
    <li>${open}</li>
    <li>${typed(texts, business, business_number)}</li>
    <li>${typed(texts, account, account_number)}</li>
    <li>
      ${amountMinor === undefined ? texts.handle.anyAmount : typed(texts, amount, majorText(amountMinor))}
    </li>
    <li>${texts.handle.pin}</li>
  </ol>`
}

/** The same where prompts have failed too often, before everything else. */
export function handleStepsFirst({ texts, anotherPayment, bill }: PayerView): Html | undefined {
  if (anotherPayment === undefined) return undefined
  return html`<div class="help">
    <h2>${texts.payBill.insteadOfPrompt}</h2>
    ${handleSteps(texts, anotherPayment, bill.askedMinor)}
  </div>`
}

export function payBillList({ payBill, texts, bill, path }: PayerView): Html | undefined {
  if (payBill === undefined) return undefined
  const { open, business, account, amount, pin, exact, check } = texts.payBill
  return html`<ol>
      <li>${open}</li>
      <li>${typed(texts, business, payBill.business_number)}</li>
      <li>${typed(texts, account, payBill.account_number)}</li>
      <li>${typed(texts, amount, majorText(bill.askedMinor))}</li>
      <li>${pin}</li>
    </ol>
    <p>${exact}</p>
    <a class="button quiet" href="${path}">${check}</a>`
}

/** What the payer types, with a button that copies it where scripts run. */
function typed({ payBill }: Texts, name: string, value: string): Html {
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
