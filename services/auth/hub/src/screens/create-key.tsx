import type { NewKeyView } from '@malipo/interface/hub'
import { useState } from 'preact/hooks'
import { ask, Refusal, refusalOf } from '../api'
import { PinField } from '../parts/field'
import { FormDialog } from '../parts/form-dialog'
import { Notice } from '../parts/notice'
import { ShownOnce } from '../parts/shown-once'
import { useForm } from '../parts/use-form'

/** Asks for the PIN, then shows the key once. */
export function CreateKey(props: { readonly isReplacing: boolean; readonly onDone: () => void }) {
  const { isReplacing, onDone } = props
  const [secretKey, setSecretKey] = useState<string>()
  const form = useForm(async ({ pin = '' }) => {
    setSecretKey((await createKey(pin)).secret_key)
  })
  if (secretKey !== undefined) {
    const shown = { secret: secretKey, what: 'Key', mark: 'data-secret-key', onDone } as const
    return (
      <ShownOnce title="Your new secret key" {...shown}>
        Copy it now. It is shown this once, and we keep nothing to find it again with.
      </ShownOnce>
    )
  }
  const action = isReplacing ? 'Replace key' : 'Create key'
  return (
    <FormDialog title={action} form={form} action={action} onClose={onDone}>
      {isReplacing && (
        <Notice kind="warn">
          <p>
            The new key works at once. The old one can work for up to a minute, and then never
            again: put the new one on your server right away.
          </p>
        </Notice>
      )}
      <PinField name="pin" label="PIN" error={form.errorOf('pin')} autofocus />
    </FormDialog>
  )
}

/** Creates a key. When no answer comes, the key may have been created all the same, and the error says so. */
async function createKey(pin: string): Promise<NewKeyView> {
  return ask<NewKeyView>('POST', '/keys', { pin }).catch((error: unknown) => {
    throw tellLost(refusalOf(error))
  })
}

function tellLost(refusal: Refusal): Refusal {
  if (refusal.code !== 0) return refusal
  const description =
    'Malipo did not answer. It may have made the key all the same, and the one before stops then: try again until you see a key.'
  return new Refusal({ code: 0, description, request_id: '' })
}
