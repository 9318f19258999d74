import type { NewWebhookSecretView, WebhookEndpointView } from '@malipo/interface/hub'
import { useState } from 'preact/hooks'
import { ask } from '../api'
import { CopyButton } from '../parts/copy-button'
import { Dialog, DialogButtons } from '../parts/dialog'
import { Field, PinField } from '../parts/field'
import { FormNotice } from '../parts/form-notice'
import { Notice } from '../parts/notice'
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
  if (secret !== undefined) return <ShownOnce secret={secret} onDone={onDone} />
  const title = endpoint === undefined ? 'Add an address' : 'Rotate the secret'
  return (
    <Dialog title={title} onClose={onDone}>
      <form ref={form.ref} onSubmit={form.submit} class="stack">
        <FormNotice refusal={form.refusal} />
        {endpoint === undefined ? <AddressField form={form} /> : <AboutRotation />}
        <PinField
          name="pin"
          label="PIN"
          error={form.errorOf('pin')}
          autofocus={endpoint !== undefined}
        />
        <DialogButtons>
          <button class="button fitting" aria-disabled={form.isBusy ? true : undefined}>
            {form.isBusy ? 'One moment…' : title}
          </button>
          <button type="button" class="button quiet fitting" onClick={onDone}>
            Cancel
          </button>
        </DialogButtons>
      </form>
    </Dialog>
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
      You get a new secret. For 24 hours every event is signed with both, so that you can put the
      new one on your server without missing any.
    </p>
  )
}

function ShownOnce({ secret, onDone }: { readonly secret: string; readonly onDone: () => void }) {
  return (
    <Dialog title="Your signing secret" onClose={onDone} isKept>
      <div class="stack">
        <Notice kind="warn">
          <p>
            Copy it now: it is shown this once. Your server checks with it that an event is ours.
          </p>
        </Notice>
        <code class="secret" data-webhook-secret>
          {secret}
        </code>
        <DialogButtons>
          <CopyButton text={secret} what="Secret" />
          <button type="button" class="button fitting" onClick={onDone}>
            I have stored it
          </button>
        </DialogButtons>
      </div>
    </Dialog>
  )
}
