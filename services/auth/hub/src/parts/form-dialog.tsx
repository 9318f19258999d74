import type { ComponentChildren } from 'preact'
import { Dialog, DialogButtons } from './dialog'
import { FormNotice } from './form-notice'
import type { FormState } from './use-form'

export function FormDialog(props: {
  readonly title: string
  readonly form: FormState
  /** The text of the button that sends the form, and its text while the form is being sent. */
  readonly action: string
  readonly busy?: string
  readonly close?: string
  /** The action cannot be undone: the focus begins at the button that closes. */
  readonly isDanger?: boolean
  /** A field shows why the form was refused, so the dialog shows no notice of it. */
  readonly isShownAtField?: boolean
  readonly onInput?: () => void
  readonly onClose: () => void
  readonly children: ComponentChildren
}) {
  const { title, form, action, busy = 'One moment…', close = 'Cancel' } = props
  const { isDanger = false, isShownAtField = false, onInput, onClose, children } = props
  return (
    // Closed while the request is on its way, the dialog would lose what the answer brings, such as a new key.
    <Dialog title={title} onClose={onClose} isKept={form.isBusy}>
      <form ref={form.ref} onSubmit={form.submit} onInput={onInput} class="stack">
        {!isShownAtField && <FormNotice refusal={form.refusal} />}
        {children}
        <DialogButtons>
          <button
            class={isDanger ? 'button danger fitting' : 'button fitting'}
            aria-disabled={form.isBusy ? true : undefined}
          >
            {form.isBusy ? busy : action}
          </button>
          <button
            type="button"
            class="button quiet fitting"
            {...(form.isBusy ? { 'aria-disabled': true } : { onClick: onClose })}
            autofocus={isDanger}
          >
            {close}
          </button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
