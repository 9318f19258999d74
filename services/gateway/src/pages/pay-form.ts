import { hiddenField, phoneField } from '@malipo/web/fields'
import { type Html, html } from '@malipo/web/html'
import type { CheckoutView } from './checkout-view'

/** The number, and the button that sends a prompt to it. */
export function payForm(view: CheckoutView, button: string): Html {
  const { texts, rail, form, checkout } = view
  return html`<form class="pay" method="post" action="/c/${checkout.checkoutId}/pay" data-pay>
    ${hiddenField('key', form.key)}
    ${phoneField({
      name: 'phone',
      label: texts.start.phone(rail),
      value: form.phone,
      hint: texts.start.hint,
      error: form.error,
    })}
    ${railChoice(view)}
    <button class="button" data-busy="${texts.start.sending}" data-offline="${texts.start.offline}">
      ${button}
    </button>
  </form>`
}

/** Nothing to choose for most people: the number tells its network. Who took a number to another one says so here. */
function railChoice({ texts, railChoices, form }: CheckoutView): Html | false {
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
