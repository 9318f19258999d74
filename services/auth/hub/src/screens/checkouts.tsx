import type { CheckoutPage, CheckoutView, PaymentView } from '@malipo/interface/hub'
import { queryOf } from '../api'
import { addressOf, place } from '../navigation'
import { announce } from '../parts/announcer'
import { countNewlyPaid, withFresh } from '../parts/live-rows'
import { Moment } from '../parts/moment'
import { Paged } from '../parts/paged'
import { Empty } from '../parts/states'
import { Table } from '../parts/table'
import { usePages } from '../parts/use-pages'
import { none, showMoney, showRail, showWords } from '../show'
import { CheckoutFilters, filterNames } from './checkout-filters'
import { CheckoutStatusBadge } from './checkout-status'

export function Checkouts() {
  const { query } = place.value
  const filter = Object.fromEntries(filterNames.map((name) => [name, query.get(name) ?? '']))
  const pages = usePages<CheckoutPage, CheckoutView>({
    key: queryOf(filter),
    path: (last) => `/checkouts${queryOf({ ...filter, before: last?.id })}`,
    rows: ({ checkouts }) => checkouts,
    refresh: (known, fresh) => {
      announcePaid(known.rows, fresh.rows)
      return withFresh(known, fresh)
    },
  })
  const isFiltered = queryOf(filter) !== ''
  return (
    <>
      <CheckoutFilters key={queryOf(filter)} filter={filter} />
      <Paged
        what="checkouts"
        pages={pages}
        empty={
          isFiltered ? (
            <Empty title="No checkout matches these filters">
              <a href={addressOf('/checkouts')}>Show all checkouts</a>
            </Empty>
          ) : (
            <Empty title="No checkouts yet">
              <p>
                Your server makes them with a <a href={addressOf('/integrations')}>secret key</a>.
              </p>
            </Empty>
          )
        }
      >
        {(rows) => <CheckoutTable rows={rows} />}
      </Paged>
    </>
  )
}

/** Announces only payments to screen readers: announcing any other change would only interrupt. */
export function announcePaid(known: readonly CheckoutView[], fresh: readonly CheckoutView[]): void {
  const count = countNewlyPaid(known, fresh)
  if (count > 0) announce(count === 1 ? '1 new payment' : `${String(count)} new payments`)
}

export function CheckoutTable({ rows }: { readonly rows: readonly CheckoutView[] }) {
  return (
    <Table
      caption="Checkouts, newest first"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        {
          head: 'Checkout',
          cell: ({ id, reference, description }) => (
            <>
              <a class="wrap" href={addressOf(`/checkouts/${id}`)}>
                {showWords(reference, id)}
              </a>
              {description !== null && <p class="soft">{showWords(description)}</p>}
            </>
          ),
        },
        { head: 'Status', cell: (checkout) => <CheckoutStatusBadge checkout={checkout} /> },
        { head: 'Payer', cell: ({ payment }) => <Payer payment={payment} /> },
        { head: 'Receipt', cell: ({ payment }) => payment?.provider_receipt ?? none },
        { head: 'Created', cell: (checkout) => <Moment at={checkout.created_at} /> },
        {
          head: 'Amount',
          cell: ({ amount, currency }) => showMoney(amount, currency),
          isNumber: true,
        },
      ]}
    />
  )
}

/** The last digits of the latest payer's phone, and the rail. */
function Payer({ payment }: { readonly payment: PaymentView | null }) {
  if (payment === null) return <>{none}</>
  return (
    <>
      {payment.phone ?? none}
      <p class="soft">{showRail(payment.rail)}</p>
    </>
  )
}
