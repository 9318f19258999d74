import type { WebhookDeliveryView, WebhooksView } from '@malipo/interface/hub'
import { addressOf } from '../navigation'
import { Badge } from '../parts/badge'
import { Moment } from '../parts/moment'
import { Empty } from '../parts/states'
import { Table } from '../parts/table'
import { none } from '../show'

/** The newest deliveries with the result of the last attempt. */
export function WebhookDeliveries(props: {
  readonly view: WebhooksView
  readonly resend: (deliveryId: string) => void
}) {
  const { endpoints, deliveries } = props.view
  const on = new Map(endpoints.map((one) => [one.endpoint_id, one.off_because === null]))
  const urls = new Map(endpoints.map((one) => [one.endpoint_id, one.url]))
  if (deliveries.length === 0) return <Empty title="No event yet" />
  return (
    <Table
      caption="Deliveries, newest first"
      rows={deliveries}
      rowKey={({ delivery_id: id }) => id}
      columns={[
        { head: 'Event', cell: (row) => <Event row={row} /> },
        {
          head: 'Address',
          cell: ({ endpoint_id: id }) => <span class="wrap">{urls.get(id) ?? 'Removed'}</span>,
        },
        { head: 'Time', cell: (row) => <Moment at={row.created_at} /> },
        { head: 'Answer', cell: (row) => <Answer row={row} /> },
        {
          head: 'Took',
          cell: ({ duration_ms: ms }) => (ms === null ? none : `${String(ms)} ms`),
          isNumber: true,
        },
        {
          head: 'Again',
          cell: (row) =>
            on.get(row.endpoint_id) === true ? <Resend row={row} resend={props.resend} /> : none,
        },
      ]}
    />
  )
}

function Event({ row: { type, subject_id: subject } }: { readonly row: WebhookDeliveryView }) {
  return (
    <>
      <code>{type}</code>
      {type !== 'webhook.test' && (
        <p class="soft">
          <a href={addressOf(`/checkouts/${subject}`)}>Checkout</a>
        </p>
      )}
    </>
  )
}

function Answer({ row }: { readonly row: WebhookDeliveryView }) {
  const { answer_status: status, failure, next_attempt_at: next } = row
  const isBegun = row.attempted_at !== null || next === null
  if (row.status === 'pending' && row.attempts === 0 && isBegun) {
    return <Badge kind="warn" text={next === null ? 'Waits' : 'Sent again'} />
  }
  return (
    <>
      <Badge kind={kinds[row.status]} text={answerText(status, failure)} />
      {row.status === 'given_up' && <p class="soft">Given up</p>}
      {row.attempts > 0 && next !== null && (
        <p class="soft">
          Next try <Moment at={next} />
        </p>
      )}
    </>
  )
}

const kinds = { pending: 'warn', delivered: 'good', given_up: 'bad' } as const

function answerText(status: number | null, failure: string | null): string {
  if (status !== null) return String(status)
  return failure === null ? 'On its way' : (failureTexts[failure] ?? 'No answer')
}

const failureTexts: Readonly<Record<string, string>> = {
  timeout: 'No answer in 10 s',
  name_not_found: 'Name not found',
  address_not_public: 'Not a public address',
  https_required: 'Not https',
  tls_failed: 'Certificate not accepted',
  connection_refused: 'Connection refused',
  connection_failed: 'Connection broken',
}

function Resend(props: {
  readonly row: WebhookDeliveryView
  readonly resend: (deliveryId: string) => void
}) {
  const { row, resend } = props
  return (
    <button
      type="button"
      class="button quiet fitting"
      aria-label={`Resend ${row.type} ${row.subject_id}`}
      onClick={() => {
        resend(row.delivery_id)
      }}
    >
      Resend
    </button>
  )
}
