import type { WebhookEndpointView, WebhooksView } from '@malipo/interface/hub'
import { useState } from 'preact/hooks'
import { ask, type Refusal, refusalOf } from '../api'
import { addressOf } from '../navigation'
import { announce } from '../parts/announcer'
import { FormNotice } from '../parts/form-notice'
import { Notice } from '../parts/notice'
import { Empty, Failed, Loading } from '../parts/states'
import { useLive } from '../parts/use-live'
import { useLoad } from '../parts/use-load'
import { mySession } from '../session'
import { IntegrationTabs } from './integration-tabs'
import { NewWebhookSecret } from './new-webhook-secret'
import { ResendSince } from './resend-since'
import { type EndpointActions, WebhookCard } from './webhook-card'
import { WebhookDeliveries } from './webhook-deliveries'
import { FormDialog } from '../parts/form-dialog'
import { useForm } from '../parts/use-form'

const path = '/webhooks'

/** The account's webhook endpoints, and the newest deliveries, read again while one waits for its first attempt. */
export function Webhooks() {
  const { loaded, reload, show } = useLoad<WebhooksView>(path)
  const isWaiting =
    loaded.state === 'ready' &&
    loaded.data.deliveries.some(
      ({ attempts, next_attempt_at: next }) => attempts === 0 && next !== null,
    )
  useLive(isWaiting ? path : undefined, (known) => ask<WebhooksView>('GET', known), show)
  return (
    <>
      <IntegrationTabs />
      {loaded.state === 'loading' && <Loading what="your webhooks" />}
      {loaded.state === 'failed' && <Failed refusal={loaded.refusal} again={reload} />}
      {loaded.state === 'ready' && <WebhookList view={loaded.data} reload={reload} />}
    </>
  )
}

type Asking =
  | { readonly what: 'add' }
  | { readonly what: 'rotate' | 'remove' | 'resend'; readonly endpoint: WebhookEndpointView }

function WebhookList(props: { readonly view: WebhooksView; readonly reload: () => void }) {
  const { view, reload } = props
  const [asking, setAsking] = useState<Asking>()
  const { refusal, send } = useSend(reload)
  const done = () => {
    setAsking(undefined)
    reload()
  }
  const actions: EndpointActions = {
    test: ({ endpoint_id: id }) => {
      send(`/webhooks/${id}/test`, 'Test event sent')
    },
    switchOn: ({ endpoint_id: id }) => {
      send(`/webhooks/${id}/switch-on`, 'Webhook switched on')
    },
    resendSince: (endpoint) => {
      setAsking({ what: 'resend', endpoint })
    },
    rotate: (endpoint) => {
      setAsking({ what: 'rotate', endpoint })
    },
    remove: (endpoint) => {
      setAsking({ what: 'remove', endpoint })
    },
  }
  const resend = (deliveryId: string) => {
    send(`/deliveries/${deliveryId}/resend`, 'Event sent again')
  }
  return (
    <>
      <AboutWebhooks
        onAdd={() => {
          setAsking({ what: 'add' })
        }}
      />
      <FormNotice refusal={refusal} />
      {view.endpoints.length === 0 && <Empty title="No address yet: nothing is sent" />}
      {view.endpoints.map((endpoint) => (
        <WebhookCard key={endpoint.endpoint_id} endpoint={endpoint} actions={actions} />
      ))}
      {view.endpoints.length > 0 && <WebhookDeliveries view={view} resend={resend} />}
      {asking !== undefined && <OpenDialog asking={asking} onDone={done} />}
    </>
  )
}

function OpenDialog({ asking, onDone }: { readonly asking: Asking; readonly onDone: () => void }) {
  switch (asking.what) {
    case 'add':
      return <NewWebhookSecret onDone={onDone} />
    case 'rotate':
      return <NewWebhookSecret endpoint={asking.endpoint} onDone={onDone} />
    case 'resend':
      return <ResendSince endpoint={asking.endpoint} onDone={onDone} />
    case 'remove':
      return <RemoveWebhook endpoint={asking.endpoint} onDone={onDone} />
  }
}

/** Sends an action without a form, and shows why it was refused. */
function useSend(reload: () => void) {
  const [refusal, setRefusal] = useState<Refusal>()
  const send = (path: string, done: string) => {
    setRefusal(undefined)
    ask('POST', path).then(
      () => {
        announce(done)
        reload()
      },
      (error: unknown) => {
        setRefusal(refusalOf(error))
      },
    )
  }
  return { refusal, send }
}

function AboutWebhooks({ onAdd }: { readonly onAdd: () => void }) {
  const { has_pin: hasPin } = mySession()
  return (
    <section class="card" aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks</h2>
      <p>
        Your server receives an event within a second when a checkout is paid or expires, and when a
        payment fails or goes back. The event says what happened and to which checkout: read the
        checkout before you deliver.
      </p>
      {hasPin ? (
        <div class="buttons">
          <button type="button" class="button fitting" onClick={onAdd}>
            New address
          </button>
        </div>
      ) : (
        <Notice kind="warn">
          <p>
            An address is added with your PIN. <a href={addressOf('/security')}>Set a PIN first</a>
          </p>
        </Notice>
      )}
    </section>
  )
}

/** Asks before it removes an endpoint. Removing needs no PIN. */
function RemoveWebhook(props: {
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
