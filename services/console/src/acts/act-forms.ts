import type { Country } from '@malipo/kernel/countries'
import { type Child, type Html, html } from '@malipo/web/html'
import { hiddenField } from '@malipo/web/fields'
import type { SignedActName } from './signed-acts'

interface ActForm {
  readonly act: SignedActName
  /** `both` is for requests to enrol or to retire, as an operator acts in both countries; decisions are by country. */
  readonly country: Country | 'both'
  readonly title: string
  readonly hidden?: Readonly<Record<string, string>>
  readonly fields?: Child
  readonly needsNote?: boolean
}

/** The form of an act that another operator has to approve. */
export function askForm(form: ActForm & { readonly button: string }): Html {
  return actForm(form, html`<button type="submit" class="button fitting">${form.button}</button>`)
}

/** The form that approves or refuses a request. The operator who made the request may only refuse it. */
export function decideForm(form: ActForm & { readonly isOwn: boolean }): Html {
  const approve = html`<button type="submit" class="button fitting" name="agreed" value="1">
    Approve
  </button>`
  return actForm(
    form,
    html`${form.isOwn ? html`<p class="soft">You asked for it: another operator approves it.</p>` : approve}
      <button type="submit" class="button quiet fitting" name="agreed" value="0">
        ${form.isOwn ? 'Withdraw' : 'Refuse'}
      </button>`,
  )
}

function actForm(
  { act, country, title, hidden = {}, fields, needsNote = true }: ActForm,
  buttons: Html,
): Html {
  const id = `${act}-${country}-${Object.values(hidden).join('-')}`.replaceAll(/[^\w-]/g, '-')
  return html`<form
    class="card"
    data-act="${act}"
    data-country="${country}"
    aria-labelledby="${id}"
  >
    <h3 id="${id}">${title}</h3>
    ${Object.entries(hidden).map(([name, value]) => hiddenField(name, value))} ${fields}
    ${needsNote && noteField(id)}
    <div class="buttons">${buttons}</div>
  </form>`
}

function noteField(id: string): Html {
  return html`<div class="field">
    <label for="${id}-note">Reason</label>
    <textarea id="${id}-note" name="note" rows="2" maxlength="500" required></textarea>
  </div>`
}

export function choice(
  legend: string,
  name: string,
  options: readonly (readonly [value: string, text: string])[],
): Html {
  return html`<fieldset>
    <legend>${legend}</legend>
    ${options.map(
      ([value, text]) =>
        html`<label class="check"
          ><input type="radio" name="${name}" value="${value}" required /> ${text}</label
        >`,
    )}
  </fieldset>`
}
