import { hiddenField, phoneField } from '@malipo/web/fields'
import { type Html, html } from '@malipo/web/html'
import type { CheckoutView } from './checkout-view'
import { payBillSteps } from './pay-bill-steps'
import { type Screen, tookNothing } from './screen'

/** One field and one button: nothing else stands between a payer and the prompt. */
export function startScreen(view: CheckoutView): Html {
  const { texts, amount, checkout } = view
  return html`<section class="panel">
      ${payForm(view, texts.start.pay(amount))}
      <p class="safety">${texts.start.safety}</p>
    </section>
    ${payBillSteps(view)}
    <p class="aside">${texts.start.before(view.times.clock(checkout.expiresAt))}</p>`
}

/** Why it failed, what to do about it, and the form again. */
export function failedScreen(view: CheckoutView, screen: Screen & { name: 'failed' }): Html {
  const { failed, start, rails } = view.texts
  const { attempt, cause } = screen
  const [title, advice] = failed.causes[cause](rails[attempt.rail])
  return html`<section class="panel">
      <div class="notice bad" role="alert">
        <h2 tabindex="-1" data-focus>${title}</h2>
        <p>${advice}</p>
        ${tookNothing(attempt) && html`<p class="strong">${failed.noMoneyTaken}</p>`}
      </div>
      ${payForm(view, failed.retry)}
      <p class="safety">${start.safety}</p>
    </section>
    ${payBillSteps(view)}
    <p class="aside">${start.before(view.times.clock(view.checkout.expiresAt))}</p>`
}

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
    <button class="button" data-busy="${texts.start.sending}">${button}</button>
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
