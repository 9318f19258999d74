import { ask } from '../api'
import { announce } from '../parts/announcer'
import { Dialog, DialogButtons } from '../parts/dialog'
import { FormNotice } from '../parts/form-notice'
import { useForm } from '../parts/use-form'

/** Revoking needs no PIN: an owner with a leaked key must not have to look for it. */
export function RevokeKey({ onDone }: { readonly onDone: () => void }) {
  const form = useForm(async () => {
    await ask('POST', '/keys/revoke')
    announce('Key revoked')
    onDone()
  })
  return (
    <Dialog title="Revoke the key?" onClose={onDone}>
      <form ref={form.ref} onSubmit={form.submit} class="stack">
        <FormNotice refusal={form.refusal} />
        <p>
          Your server can make no more checkouts. The key can keep working for up to a minute. Open
          checkouts can still be paid.
        </p>
        <DialogButtons>
          <button class="button danger fitting" aria-disabled={form.isBusy ? true : undefined}>
            {form.isBusy ? 'Revoking…' : 'Revoke the key'}
          </button>
          <button type="button" class="button quiet fitting" onClick={onDone} autofocus>
            Keep it
          </button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
