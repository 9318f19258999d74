import type { LinkView } from '@malipo/interface/hub'
import { useState } from 'preact/hooks'
import { Badge } from '../parts/badge'
import { Moment } from '../parts/moment'
import { Empty, Failed, Loading } from '../parts/states'
import { Table } from '../parts/table'
import { useLoad } from '../parts/use-load'
import { mySession } from '../session'
import { showMoney } from '../show'
import { CreateLink } from './create-link'
import { ShareLink } from './share-link'

export function Links() {
  const { loaded, reload } = useLoad<{ readonly links: readonly LinkView[] }>('/links')
  const [asking, setAsking] = useState<'create' | LinkView>()
  const done = () => {
    setAsking(undefined)
    reload()
  }
  return (
    <>
      <section class="card row">
        <p>A link can be paid without any code: send it, print it, or show it as a QR code.</p>
        <button
          type="button"
          class="button fitting"
          onClick={() => {
            setAsking('create')
          }}
        >
          New link
        </button>
      </section>
      {loaded.state === 'loading' && <Loading what="your links" />}
      {loaded.state === 'failed' && <Failed refusal={loaded.refusal} again={reload} />}
      {loaded.state === 'ready' && loaded.data.links.length === 0 && <Empty title="No links yet" />}
      {loaded.state === 'ready' && loaded.data.links.length > 0 && (
        <LinkTable links={loaded.data.links} share={setAsking} />
      )}
      {asking === 'create' && (
        <CreateLink
          onMade={(link) => {
            setAsking(link)
            reload()
          }}
          onDone={done}
        />
      )}
      {typeof asking === 'object' && <ShareLink link={asking} onDone={done} />}
    </>
  )
}

function LinkTable(props: {
  readonly links: readonly LinkView[]
  readonly share: (link: LinkView) => void
}) {
  const { currency } = mySession()
  return (
    <Table
      caption="Your links, newest first"
      rows={props.links}
      rowKey={({ handle }) => handle}
      columns={[
        {
          head: 'Link',
          cell: ({ title, handle }) => (
            <>
              {title ?? 'Open link'}
              <p class="soft wrap">/p/{handle}</p>
            </>
          ),
        },
        {
          head: 'Amount',
          cell: ({ amount }) => (amount === null ? 'Payer decides' : showMoney(amount, currency)),
        },
        { head: 'Created', cell: (link) => <Moment at={link.created_at} /> },
        {
          head: 'Share',
          cell: (link) =>
            link.closed_at !== null ? (
              <Badge kind="calm" text="Closed" />
            ) : (
              <button
                type="button"
                class="button quiet fitting"
                aria-label={`Share ${link.title ?? link.handle}`}
                onClick={() => {
                  props.share(link)
                }}
              >
                Share
              </button>
            ),
        },
      ]}
    />
  )
}
