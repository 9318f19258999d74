import type { NewWebhookSecretView, WebhookEndpointView } from '@malipo/interface/hub'
import { useState } from 'preact/hooks'
import { ask } from '../api'
import { Field, PinField } from '../parts/field'
import { FormDialog } from '../parts/form-dialog'
import { ShownOnce } from '../parts/shown-once'
import { type FormState, useForm } from '../parts/use-form'

/** Adds an endpoint, or rotates the secret of `endpoint`: asks for the PIN, then shows the secret once. */
export function NewWebhookSecret(props: {
  readonly endpoint?: WebhookEndpointView
  readonly onDone: () => void
}) {
  const { endpoint, onDone } = props
  const [secret, setSecret] = useState<string>()
  const form = useForm(async ({ pin = '', url = '' }) => {
    const made =
      endpoint === undefined
        ? await ask<NewWebhookSecretView>('POST', '/webhooks', { pin, url: url.trim() })
        : await ask<NewWebhookSecretView>('POST', `/webhooks/${endpoint.endpoint_id}/rotate`, {
            pin,
          })
    setSecret(made.secret)
  })
  if (secret !== undefined) {
    const shown = { secret, what: 'Secret', mark: 'data-webhook-secret', onDone } as const
    return (
      <ShownOnce title="Your signing secret" {...shown}>
        Copy it now: it is shown this once. Your server checks with it that an event is ours.
      </ShownOnce>
    )
  }
  const isNew = endpoint === undefined
  const title = isNew ? 'Add an address' : 'Rotate the secret'
  return (
    <FormDialog title={title} form={form} action={title} onClose={onDone}>
      {isNew ? <AddressField form={form} /> : <AboutRotation />}
      <PinField name="pin" label="PIN" error={form.errorOf('pin')} autofocus={!isNew} />
    </FormDialog>
  )
}

function AddressField({ form }: { readonly form: FormState }) {
  return (
    <Field
      name="url"
      label="Address"
      type="url"
      hint="It begins with https:// and is on your own server."
      error={form.errorOf('url')}
      autofocus
    />
  )
}

function AboutRotation() {
  return (
    <p>
      You get a new secret. For 24 hours every event is signed with it and with the earlier ones, so
      that you can put the new one on your server without missing any.
    </p>
  )
}
