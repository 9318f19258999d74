import type { WebhookEndpointView } from '@malipo/interface/hub'
import { ask } from '../api'
import { announce } from '../parts/announcer'
import { Dialog, DialogButtons } from '../parts/dialog'
import { FormNotice } from '../parts/form-notice'
import { useForm } from '../parts/use-form'

/** Removing an endpoint needs no PIN. */
export function RemoveWebhook(props: {
  readonly endpoint: WebhookEndpointView
  readonly onDone: () => void
}) {
  const { endpoint, onDone } = props
  const form = useForm(async () => {
    await ask('POST', `/webhooks/${endpoint.endpoint_id}/remove`)
    announce('Address removed')
    onDone()
  })
  return (
    <Dialog title="Remove the address?" onClose={onDone}>
      <form ref={form.ref} onSubmit={form.submit} class="stack">
        <FormNotice refusal={form.refusal} />
        <p class="wrap">Nothing more is sent to {endpoint.url}, and its secret signs no more.</p>
        <DialogButtons>
          <button class="button danger fitting" aria-disabled={form.isBusy ? true : undefined}>
            {form.isBusy ? 'Removing…' : 'Remove the address'}
          </button>
          <button type="button" class="button quiet fitting" onClick={onDone} autofocus>
            Keep it
          </button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
