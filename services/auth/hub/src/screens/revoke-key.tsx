import { ask } from '../api'
import { announce } from '../parts/announcer'
import { FormDialog } from '../parts/form-dialog'
import { useForm } from '../parts/use-form'

/** Revoking needs no PIN: an owner with a leaked key must not have to look for it. */
export function RevokeKey({ onDone }: { readonly onDone: () => void }) {
  const form = useForm(async () => {
    await ask('POST', '/keys/revoke')
    announce('Key revoked')
    onDone()
  })
  const texts = { action: 'Revoke the key', busy: 'Revoking…', close: 'Keep it' }
  return (
    <FormDialog title="Revoke the key?" form={form} {...texts} isDanger onClose={onDone}>
      <p>
        Your server can make no more checkouts. The key can keep working for up to a minute. Open
        checkouts can still be paid.
      </p>
    </FormDialog>
  )
}
