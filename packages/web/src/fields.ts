import { type Html, html } from './html'

export interface Field {
  readonly name: string
  readonly label: string
  readonly value?: string | undefined
  readonly hint?: string | undefined
  /** The problem with the value and its fix. */
  readonly error?: string | undefined
}

interface Keyboard {
  readonly type: 'text' | 'tel' | 'password'
  readonly autocomplete: string
  readonly inputmode?: 'decimal'
}

/** A phone field without mask or pattern: people write numbers in many ways, and the server parses them. */
export function phoneField(field: Field): Html {
  return inputField(field, { type: 'tel', autocomplete: 'tel' })
}

/** An amount field. People write commas and spaces, which inputs of the type `number` refuse. */
export function amountField(field: Field): Html {
  return inputField(field, { type: 'text', autocomplete: 'off', inputmode: 'decimal' })
}

export function textField(field: Field): Html {
  return inputField(field, { type: 'text', autocomplete: 'off' })
}

export function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`
}

/** A labelled input, with its hint and error linked to it for screen readers. */
function inputField(field: Field, keyboard: Keyboard): Html {
  const id = `field-${field.name}`
  const notes = [
    field.error !== undefined && `${id}-error`,
    field.hint !== undefined && `${id}-hint`,
  ]
  const noteIds = notes.filter((note) => note !== false).join(' ')
  const describedBy = noteIds !== '' && html`aria-describedby="${noteIds}"`
  const invalid = field.error !== undefined && html`aria-invalid="true"`
  return html`<div class="field">
    <label for="${id}">${field.label}</label>
    ${field.error !== undefined && html`<p class="field-error" id="${id}-error">${field.error}</p>`}
    <input
      id="${id}"
      name="${field.name}"
      type="${keyboard.type}"
      autocomplete="${keyboard.autocomplete}"
      ${keyboard.inputmode !== undefined && html`inputmode="${keyboard.inputmode}"`}
      value="${field.value ?? ''}"
      ${describedBy}
      ${invalid}
      required
    />
    ${field.hint !== undefined && html`<p class="field-hint" id="${id}-hint">${field.hint}</p>`}
  </div>`
}
