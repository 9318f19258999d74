import type { ComponentChildren, InputHTMLAttributes, TargetedInputEvent } from 'preact'

export interface FieldProps {
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  readonly type?: 'text' | 'password' | 'search' | 'date' | 'datetime-local' | 'url'
  readonly autocomplete?: string
  readonly autocapitalize?: 'none'
  readonly inputMode?: 'numeric' | 'decimal'
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly placeholder?: string
  readonly required?: boolean
  readonly autofocus?: boolean
  readonly value?: string
  readonly defaultValue?: string | undefined
  readonly onInput?: (event: TargetedInputEvent<HTMLInputElement>) => void
}

/** A labelled input, with its hint and error linked to it. */
export function Field({ label, hint, error, ...own }: FieldProps) {
  // Preact types inputs by `type`; this component accepts any of them.
  const input = own as InputHTMLAttributes
  return (
    <Labelled name={own.name} label={label} hint={hint} error={error}>
      <input id={`field-${own.name}`} {...describedBy(own.name, hint, error)} {...input} />
    </Labelled>
  )
}

export function Labelled(
  props: Pick<FieldProps, 'name' | 'label' | 'hint' | 'error'> & {
    readonly children: ComponentChildren
  },
) {
  const { name, label, hint, error, children } = props
  const id = `field-${name}`
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {label} {error}
        </p>
      )}
      {children}
      {hint !== undefined && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

export function describedBy(name: string, hint?: string, error?: string) {
  const id = `field-${name}`
  const notes = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`]
  const ids = notes.filter((note) => note !== false).join(' ')
  return {
    ...(ids !== '' && { 'aria-describedby': ids }),
    ...(error !== undefined && { 'aria-invalid': true as const }),
  }
}

/** A PIN input: digits, hidden, without autocomplete. */
export function PinField(props: Omit<FieldProps, 'type'>) {
  const digits = {
    inputMode: 'numeric',
    pattern: '[0-9]{4,8}',
    minLength: 4,
    maxLength: 8,
  } as const
  return <Field type="password" autocomplete="off" required {...digits} {...props} />
}

export function NewPasswordField(props: {
  readonly label: string
  readonly error: string | undefined
}) {
  return (
    <Field
      name="password"
      type="password"
      hint="At least 10 characters. A few words are easier to remember than symbols."
      autocomplete="new-password"
      maxLength={128}
      {...props}
      required
    />
  )
}
