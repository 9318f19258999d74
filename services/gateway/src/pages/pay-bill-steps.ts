import { majorText, type Minor } from '@malipo/kernel/money'
import { type Html, html } from '@malipo/web/html'
import type { PayBillNumbers } from '../http/read-checkout'
import type { Texts } from './texts/texts'
import type { PayerView } from './payer-view'

/** The Pay Bill steps for a phone that gets no prompt, folded. Empty where there is no such menu. */
export function payBillSteps(view: PayerView): Html | undefined {
  const steps = payBillList(view)
  if (steps === undefined) return undefined
  return html`<details class="aside help" data-menu>
    <summary>${view.texts.payBill.title}</summary>
    ${steps}
  </details>`
}

/** The Pay Bill steps, open and before everything else, when no prompt is left to try. */
export function payBillFirst(view: PayerView): Html | undefined {
  const steps = payBillList(view)
  if (steps === undefined) return undefined
  return html`<div class="help" data-menu>
    <h2>${view.texts.payBill.insteadOfPrompt}</h2>
    ${steps}
  </div>`
}

/**
 * The Pay Bill steps for a handle, with the given amount or one of the payer's choice. The phone confirms this
 * payment; no page does.
 */
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

/** The same before everything else, when prompts have failed too often. */
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

/** A value to type in the menu, with a copy button where scripts run. */
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
