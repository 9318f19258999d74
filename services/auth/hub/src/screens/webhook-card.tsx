import type { WebhookEndpointView } from '@malipo/interface/hub'
import { Badge } from '../parts/badge'
import { Moment } from '../parts/moment'
import { Notice } from '../parts/notice'

export type EndpointActions = Readonly<
  Record<
    'test' | 'switchOn' | 'resendSince' | 'rotate' | 'remove',
    (endpoint: WebhookEndpointView) => void
  >
>

interface Props {
  readonly endpoint: WebhookEndpointView
  readonly actions: EndpointActions
}

export function WebhookCard({ endpoint, actions }: Props) {
  const id = `endpoint-${endpoint.endpoint_id}`
  return (
    <section class="card" aria-labelledby={id}>
      <h3 id={id} class="wrap">
        {endpoint.url}
      </h3>
      <p>
        <State endpoint={endpoint} /> Added <Moment at={endpoint.created_at} />
      </p>
      {endpoint.off_because !== null && (
        <Notice kind="warn">
          <p>{offTexts[endpoint.off_because]}</p>
        </Notice>
      )}
      {endpoint.previous_secret_until !== null && (
        <p class="soft">
          The secrets before this one sign as well until{' '}
          <Moment at={endpoint.previous_secret_until} />.
        </p>
      )}
      <Buttons endpoint={endpoint} actions={actions} />
    </section>
  )
}

const offTexts: Readonly<Record<NonNullable<WebhookEndpointView['off_because']>, string>> = {
  gone: 'Switched off: it answered 410 Gone. Events since then are not kept: look at your checkouts.',
  failing:
    'Switched off: no event was taken for 5 days. Events are kept for 30 days, and sent when you switch it on.',
  not_registered: 'Not switched on yet: adding it was interrupted.',
}

function State({ endpoint }: { readonly endpoint: WebhookEndpointView }) {
  if (endpoint.off_because !== null) return <Badge kind="bad" text="Off" />
  if (endpoint.failing_since !== null) {
    return (
      <>
        <Badge kind="warn" text="Failing" /> Since <Moment at={endpoint.failing_since} />.
      </>
    )
  }
  return <Badge kind="good" text="On" />
}

function Buttons({ endpoint, actions }: Props) {
  const isOn = endpoint.off_because === null
  const { test, switchOn, resendSince, rotate, remove } = actions
  const buttons = [
    isOn ? { text: 'Send a test event', act: test } : { text: 'Switch on', act: switchOn },
    ...(isOn ? [{ text: 'Resend since…', act: resendSince }] : []),
    { text: 'Rotate secret', act: rotate },
    { text: 'Remove', act: remove },
  ]
  return (
    <div class="buttons">
      {buttons.map(({ text, act }) => (
        <button
          key={text}
          type="button"
          class={text === 'Remove' ? 'button danger fitting' : 'button quiet fitting'}
          onClick={() => {
            act(endpoint)
          }}
        >
          {text}
        </button>
      ))}
    </div>
  )
}
