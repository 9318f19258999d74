import { majorText, type Minor } from '@malipo/kernel/money'
import { type Html, html } from '@malipo/web/html'
import type { PayBillNumbers } from '../payer/menu-and-return'
import type { Texts } from './texts/texts'
import type { PayerView, TillNumbers } from './payer-view'
import { phoneTail } from './show-values'

/** The Pay Bill steps for a phone that gets no prompt, folded. Empty where there is no such menu. */
export function payBillSteps(view: PayerView): Html | undefined {
  const steps = payBillList(view)
  if (steps === undefined) return undefined
  return html`<details class="aside help" data-menu>
    <summary>${view.texts.payBill.title}</summary>
    ${steps}
  </details>`
}

/** The Pay Bill steps, open: prompts have failed too often, the push has no answer, or no prompt can be sent now. */
export function payBillFirst(view: PayerView): Html | undefined {
  const steps = payBillList(view)
  if (steps === undefined) return undefined
  return html`<div class="help" data-menu>
    <h2>${insteadOfPrompt(view)}</h2>
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

/** The Pay Bill steps for a handle, open: prompts have failed too often, or the push has no answer. */
export function handleStepsFirst({ texts, anotherPayment, bill }: PayerView): Html | undefined {
  if (anotherPayment === undefined) return undefined
  return html`<div class="help">
    <h2>${texts.payBill.insteadOfPrompt}</h2>
    ${handleSteps(texts, anotherPayment, bill.askedMinor)}
  </div>`
}

export function payBillList(view: PayerView): Html | undefined {
  const { payBill, texts, bill, path } = view
  if (payBill === undefined) return undefined
  if ('till_number' in payBill) return tillList(view, payBill)
  const { open, business, account, amount, pin, exact, check } = texts.payBill
  return html`<ol>
      <li>${open}</li>
      <li>${typed(texts, business, payBill.business_number)}</li>
      <li>${typed(texts, account, payBill.account_number)}</li>
      <li>${typed(texts, amount, majorText(bill.askedMinor))}</li>
      <li>${pin}</li>
    </ol>
    <p>${exact}</p>
    ${appCode(view)}
    <a class="button quiet" href="${path}">${check}</a>`
}

/** The QR code for the provider's app, for a payer at a computer. Narrow screens, which are phones, never load it. */
function appCode({ paymentQrPath, texts }: PayerView): Html | undefined {
  if (paymentQrPath === undefined) return undefined
  return html`<figure class="app-code">
    <img src="${paymentQrPath}" width="180" height="180" loading="lazy" alt="" />
    <figcaption>${texts.payBill.scan}</figcaption>
  </figure>`
}

function tillList(view: PayerView, { till_number, phone }: TillNumbers): Html {
  const { texts, bill, path } = view
  const { till, amount, pin, exact, check } = texts.payBill
  return html`<p>${till.from(phoneTail(phone))}</p>
    <ol>
      <li>${till.open}</li>
      <li>${typed(texts, till.number, till_number)}</li>
      <li>${typed(texts, amount, majorText(bill.askedMinor))}</li>
      <li>${pin}</li>
    </ol>
    <p>${exact}</p>
    ${appCode(view)}
    <a class="button quiet" href="${path}">${check}</a>`
}

function insteadOfPrompt({ payBill, texts }: PayerView): string {
  const isTill = payBill !== undefined && 'till_number' in payBill
  return isTill ? texts.payBill.title : texts.payBill.insteadOfPrompt
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
