import type { WebhookEndpointView } from '@malipo/interface/hub'
import { ask } from '../api'
import { announce } from '../parts/announcer'
import { FormDialog } from '../parts/form-dialog'
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
  const texts = { action: 'Remove the address', busy: 'Removing…', close: 'Keep it' }
  return (
    <FormDialog title="Remove the address?" form={form} {...texts} isDanger onClose={onDone}>
      <p class="wrap">Nothing more is sent to {endpoint.url}, and its secret signs no more.</p>
    </FormDialog>
  )
}
