import type { WalletEntryPage, WalletEntryView, WalletView } from '@malipo/interface/hub'
import { queryOf } from '../api'
import { addressOf } from '../navigation'
import { Moment } from '../parts/moment'
import { Paged } from '../parts/paged'
import { Empty, Failed, Loading } from '../parts/states'
import { Table } from '../parts/table'
import { useLoad } from '../parts/use-load'
import { usePages } from '../parts/use-pages'
import { mySession } from '../session'
import { none, showMoney, showRail, showWords } from '../show'
import { Balance } from './balance'
import { Statement } from './statement'
import { moveText } from './wallet-moves'

/** The wallet's balance and entries. The hub cannot move money. */
export function Wallet() {
  const wallet = useLoad<{ readonly wallet: WalletView | null }>('/wallet')
  const pages = usePages<WalletEntryPage, WalletEntryView>({
    key: '',
    path: (last) => `/wallet/entries${queryOf({ before: last?.entry_id })}`,
    rows: ({ entries }) => entries,
  })
  return (
    <>
      <section class="card row" aria-labelledby="balance">
        <div class="stack">
          <h2 id="balance">Balance</h2>
          {wallet.loaded.state === 'loading' && <Loading what="the balance" />}
          {wallet.loaded.state === 'failed' && (
            <Failed refusal={wallet.loaded.refusal} again={wallet.reload} />
          )}
          {wallet.loaded.state === 'ready' && <Balance wallet={wallet.loaded.data.wallet} />}
        </div>
        <button
          type="button"
          class="button quiet fitting"
          onClick={() => {
            wallet.reload()
            pages.again()
          }}
        >
          Refresh
        </button>
      </section>
      <h2>History</h2>
      <Paged
        what="the history"
        pages={pages}
        empty={
          <Empty title="Nothing has come in yet">
            <a href={addressOf('/links')}>Share a link to be paid</a>
          </Empty>
        }
      >
        {(rows) => <EntryTable rows={rows} />}
      </Paged>
      <Statement />
    </>
  )
}

function EntryTable({ rows }: { readonly rows: readonly WalletEntryView[] }) {
  const { currency } = mySession()
  return (
    <Table
      caption="Money in and out, newest first"
      rows={rows}
      rowKey={({ entry_id: id }) => id}
      columns={[
        { head: 'Time', cell: ({ at }) => <Moment at={at} /> },
        { head: 'For', cell: (entry) => <Purpose entry={entry} /> },
        {
          head: 'Receipt',
          cell: ({ provider, receipt }) =>
            receipt === null ? none : `${showRail(provider ?? '')} ${receipt}`,
        },
        { head: 'Amount', cell: ({ amount }) => showMoney(amount, currency), isNumber: true },
      ]}
    />
  )
}

/** The paid checkout or link, or the reason for another movement, and the payer's last digits. */
function Purpose({ entry }: { readonly entry: WalletEntryView }) {
  const { why } = moveText(entry)
  return (
    <>
      <Paid entry={entry} />
      {why !== undefined && <p class="soft">{why}</p>}
      {entry.phone !== null && <p class="soft">from {entry.phone}</p>}
    </>
  )
}

function Paid({ entry }: { readonly entry: WalletEntryView }) {
  const { checkout_id: id, reference, link_title: title, handle } = entry
  if (id !== null) return <a href={addressOf(`/checkouts/${id}`)}>{showWords(reference, id)}</a>
  if (handle === null) return <>{moveText(entry).what}</>
  return (
    <>
      {title === null ? 'Paid to you' : showWords(title, handle)}
      <p class="soft wrap">/p/{handle}</p>
    </>
  )
}
