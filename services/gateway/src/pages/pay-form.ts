import { amountField, hiddenField, phoneField } from '@malipo/web/fields'
import { type Html, html } from '@malipo/web/html'
import type { PayerView } from './payer-view'
import { neededNetworks, phoneChecks } from './read-phone'

type Payable = Pick<PayerView, 'texts' | 'rules' | 'rail' | 'railChoices' | 'form' | 'startPath'>

/** The phone field, and the button that sends a prompt to it. */
export function payForm(view: Payable, button: string): Html {
  const { texts, rules, rail, form, startPath } = view
  const redirect = form.amount === undefined ? 'manual' : 'follow'
  return html`<form
    class="pay"
    method="post"
    action="${startPath}/pay"
    data-pay
    data-redirect="${redirect}"
    data-phones="${phoneChecks(texts, rules)}"
  >
    ${hiddenField('key', form.key)} ${amountOf(view)}
    ${phoneField({
      name: 'phone',
      label: texts.start.phone(rail),
      value: form.phone,
      hint: texts.start.hint,
      error: form.error,
    })}
    ${moved(view)} ${railChoice(view)}
    <button
      class="button"
      data-busy="${texts.start.sending}"
      data-offline="${texts.start.offline}"
      data-lost-title="${texts.start.lost.title}"
      data-if-entered="${texts.start.lost.ifEntered}"
      data-if-not="${texts.start.lost.ifNot}"
    >
      ${button}
    </button>
  </form>`
}

/** The button's text, without the amount where the payer enters it. */
export function payWords({ texts, form, amount }: Pick<PayerView, 'texts' | 'form' | 'amount'>) {
  return form.amount === undefined ? texts.start.pay(amount) : texts.handle.pay
}

function amountOf({ texts, form }: Payable): Html | false {
  if (form.amount === undefined) return false
  const { currency, value, hint, error } = form.amount
  return amountField({ name: 'amount', label: texts.handle.amount(currency), value, hint, error })
}

/** Shown for a number of another network: owners may have moved their number. */
function moved({ texts, rules, form }: Payable): Html {
  return html`<p class="choice" data-moved ${form.asksMoved !== true && html`hidden`}>
    <label
      ><input type="checkbox" name="moved" value="yes" />
      ${texts.start.moved(neededNetworks(rules))}</label
    >
  </p>`
}

/** The choice of network: the number determines it for most payers; an owner who has moved a number chooses here. */
function railChoice({ texts, railChoices, form }: Payable): Html | false {
  if (railChoices.length === 0) return false
  const option = (value: string, label: string, isChosen: boolean) =>
    html`<label
      ><input type="radio" name="rail" value="${value}" ${isChosen && html`checked`} />
      ${label}</label
    >`
  return html`<fieldset class="choice">
    <legend>${texts.start.network}</legend>
    ${option('', texts.start.networkByNumber, form.rail === undefined)}
    ${railChoices.map((rail) => option(rail, texts.rails[rail], form.rail === rail))}
  </fieldset>`
}
