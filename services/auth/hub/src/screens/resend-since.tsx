import type { ResentView, WebhookEndpointView } from '@malipo/interface/hub'
import { useState } from 'preact/hooks'
import { ask } from '../api'
import { Field } from '../parts/field'
import { FormDialog } from '../parts/form-dialog'
import { useForm } from '../parts/use-form'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Both countries have UTC+3 all year; the hub's lists use it too. */
const aheadOfUtc = { text: '+03:00', ms: 10_800_000 }

/** Resends the events that an owner's server missed while it was down, without waiting for the next retry. */
export function ResendSince(props: {
  readonly endpoint: WebhookEndpointView
  readonly onDone: () => void
}) {
  const { endpoint, onDone } = props
  const [sent, setSent] = useState<ResentView>()
  const form = useForm(async ({ since = '' }) => {
    // An empty field is sent as it is: the server refuses it with a message for the owner.
    const at = new Date(since + aheadOfUtc.text)
    const body = { since: Number.isNaN(at.getTime()) ? since : at.toISOString() }
    setSent(await ask('POST', `/webhooks/${endpoint.endpoint_id}/resend`, body))
  })
  const texts = { action: 'Send again', close: 'Close' }
  return (
    <FormDialog title="Send again what was not taken" {...{ form, ...texts }} onClose={onDone}>
      <Field
        name="since"
        label="Since"
        type="datetime-local"
        hint="East Africa Time, in the last 30 days. What your server took is not sent again."
        error={form.errorOf('since')}
        defaultValue={localTime(endpoint.failing_since)}
        required
        autofocus
      />
      {sent !== undefined && <p role="status">{textOf(sent)}</p>}
    </FormDialog>
  )
}

/** The field's default: an hour before the first failure, as an event is older than its first attempt; or a day ago. */
function localTime(failingSince: string | null): string {
  const atMs = failingSince === null ? Date.now() - dayMs : Date.parse(failingSince) - hourMs
  const shown = new Date(atMs + aheadOfUtc.ms)
  return shown.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length)
}

function textOf({ resent, has_more: hasMore }: ResentView): string {
  if (resent === 0) return 'Nothing waits to be sent again since then.'
  const events = resent === 1 ? '1 event is' : `${resent.toLocaleString('en')} events are`
  return hasMore
    ? `${events} sent again. There may be more: send again for the next.`
    : `${events} sent again.`
}
