import type { NewKeyView } from '@malipo/interface/hub'
import { useState } from 'preact/hooks'
import { ask } from '../api'
import { CopyButton } from '../parts/copy-button'
import { Dialog, DialogButtons } from '../parts/dialog'
import { PinField } from '../parts/field'
import { FormNotice } from '../parts/form-notice'
import { Notice } from '../parts/notice'
import { useForm } from '../parts/use-form'

/** Asks for the PIN, then shows the key once; it is gone when the dialog closes. */
export function CreateKey(props: { readonly isReplacing: boolean; readonly onDone: () => void }) {
  const { isReplacing, onDone } = props
  const [secretKey, setSecretKey] = useState<string>()
  const form = useForm(async ({ pin = '' }) => {
    setSecretKey((await ask<NewKeyView>('POST', '/keys', { pin })).secret_key)
  })
  if (secretKey !== undefined) return <NewKey secretKey={secretKey} onDone={onDone} />
  const action = isReplacing ? 'Replace key' : 'Create key'
  return (
    <Dialog title={action} onClose={onDone}>
      <form ref={form.ref} onSubmit={form.submit} class="stack">
        {isReplacing && (
          <Notice kind="warn">
            <p>
              The new key works at once. The old one can work for up to a minute, and then never
              again: put the new one on your server right away.
            </p>
          </Notice>
        )}
        <FormNotice refusal={form.refusal} />
        <PinField name="pin" label="PIN" error={form.errorOf('pin')} autofocus />
        <DialogButtons>
          <button class="button fitting" aria-disabled={form.isBusy ? true : undefined}>
            {form.isBusy ? 'One moment…' : action}
          </button>
          <button type="button" class="button quiet fitting" onClick={onDone}>
            Cancel
          </button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

function NewKey({
  secretKey,
  onDone,
}: {
  readonly secretKey: string
  readonly onDone: () => void
}) {
  return (
    <Dialog title="Your new secret key" onClose={onDone} isKept>
      <div class="stack">
        <Notice kind="warn">
          <p>Copy it now. It is shown this once, and we keep nothing to find it again with.</p>
        </Notice>
        <code class="secret" data-secret-key>
          {secretKey}
        </code>
        <DialogButtons>
          <CopyButton text={secretKey} what="Key" />
          <button type="button" class="button fitting" onClick={onDone}>
            I have stored it
          </button>
        </DialogButtons>
      </div>
    </Dialog>
  )
}
