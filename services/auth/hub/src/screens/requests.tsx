import type { RequestPage, RequestView } from '@malipo/interface/hub'
import { queryOf } from '../api'
import { go, place } from '../navigation'
import { Badge } from '../parts/badge'
import { Field } from '../parts/field'
import { Moment } from '../parts/moment'
import { Paged } from '../parts/paged'
import { Empty } from '../parts/states'
import { Table } from '../parts/table'
import { valuesOf } from '../parts/use-form'
import { usePages } from '../parts/use-pages'
import { IntegrationTabs } from './integration-tabs'

/** The request log of the account's server, for seven days. */
export function Requests() {
  const requestId = place.value.query.get('request_id') ?? ''
  const pages = usePages<RequestPage, RequestView>({
    key: requestId,
    path: (last) => `/requests${queryOf({ request_id: requestId, before: last?.request_id })}`,
    rows: ({ requests }) => requests,
  })
  const search = (event: Event) => {
    event.preventDefault()
    const { request_id: requestId = '' } = valuesOf(event.currentTarget as HTMLFormElement)
    go(`/integrations/requests${queryOf({ request_id: requestId.trim() })}`)
  }
  return (
    <>
      <IntegrationTabs />
      <form class="filters" role="search" onSubmit={search}>
        <Field name="request_id" label="Request id" type="search" defaultValue={requestId} />
        <button class="button fitting">Find</button>
      </form>
      <p class="soft">
        Requests with your key in the last seven days. Each answer has its id as X-Request-Id.
        Requests without a valid key are not shown.
      </p>
      <Paged
        what="the request log"
        pages={pages}
        empty={
          <Empty title={requestId === '' ? 'No requests yet' : 'No request of yours has this id'} />
        }
      >
        {(rows) => <RequestTable rows={rows} />}
      </Paged>
    </>
  )
}

function RequestTable({ rows }: { readonly rows: readonly RequestView[] }) {
  return (
    <Table
      caption="Requests of your server, newest first"
      rows={rows}
      rowKey={({ request_id: id }) => id}
      columns={[
        { head: 'Time', cell: ({ at }) => <Moment at={at} /> },
        { head: 'Request', cell: (row) => <RequestLine row={row} /> },
        { head: 'Answer', cell: (row) => <Answer row={row} /> },
        { head: 'Took', cell: (row) => `${String(row.milliseconds)} ms`, isNumber: true },
        { head: 'Request id', cell: (row) => <code class="wrap">{row.request_id}</code> },
      ]}
    />
  )
}

/** Allows line breaks between the segments of the path. */
function RequestLine({ row: { method, path } }: { readonly row: RequestView }) {
  return (
    <code>
      {method}{' '}
      {path.split(/(?<=\/)/).map((part) => (
        <>
          {part}
          <wbr />
        </>
      ))}
    </code>
  )
}

function Answer({ row: { status, code } }: { readonly row: RequestView }) {
  const text = code === null ? String(status) : `${String(status)} · ${String(code)}`
  return <Badge kind={status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'} text={text} />
}
