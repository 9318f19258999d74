import type { Country } from '@malipo/kernel/countries'
import type { QueueItem, QueueKind, QueueTotal } from '@malipo/ledger-client/console'
import type { Ledgers } from '@malipo/ledger-client/ledger'
import type { Clock } from '@malipo/runtime/clock'
import { html } from '@malipo/web/html'
import { askAll } from '../ledgers/ask-all'
import type { VisitOperation } from '../sign-in/signed-in'
import { screenAnswer } from '../web/page-frame'
import { queryOf } from '../web/read-query'
import { currencyOf, showAge, showCountry, showMoney, showText } from '../web/show-values'
import { table } from '../web/table'
import { byAge, byMoney } from './order'

const perKind = 50

/** `GET /`: what waits for an operator in both countries, of each kind at most `perKind` items of a country. */
export function queuePage(deps: {
  readonly ledgers: Ledgers
  readonly clock: Clock
}): VisitOperation {
  return async (request, visit, response) => {
    const isByAge = queryOf(request).get('by') === 'age'
    const { answers, missing } = await askAll(deps.ledgers, (ledger) => ledger.listQueue(perKind))
    const rows = answers.flatMap(({ country, answer }) =>
      answer.items.map((item) => ({ country, ...item })),
    )
    const totals = answers.flatMap(({ country, answer }) =>
      answer.totals.map((total) => ({ country, ...total })),
    )
    const content = html`${missing}
      <section aria-labelledby="totals">
        <h2 id="totals">How much waits</h2>
        ${totalsTable(totals)}
      </section>
      <section aria-labelledby="items">
        <h2 id="items">What waits</h2>
        <p class="tabs">
          <a href="/" ${!isByAge && html`aria-current="true"`}>By money</a>
          <a href="/?by=age" ${isByAge && html`aria-current="true"`}>By age</a>
        </p>
        ${moreNote(totals, rows)}
        ${itemsTable(isByAge ? byAge(rows) : byMoney(rows), deps.clock.now())}
      </section>`
    return screenAnswer(response, visit, { title: 'Queue', section: '/', content })
  }
}

type Located<Row> = Row & { readonly country: Country }

function totalsTable(totals: readonly Located<QueueTotal>[]) {
  return table({
    caption: 'How much of each kind waits',
    empty: 'Nothing waits for an operator.',
    rows: totals,
    columns: [
      { head: 'What', cell: ({ kind }) => kinds[kind].text },
      { head: 'Country', cell: ({ country }) => showCountry(country) },
      { head: 'How many', isNumber: true, cell: ({ count }) => count },
      {
        head: 'Money',
        isNumber: true,
        cell: ({ country, minor }) =>
          minor === 0n ? '–' : showMoney({ minor, currency: currencyOf(country) }),
      },
    ],
  })
}

/** The list alone would look like all that waits. */
function moreNote(totals: readonly QueueTotal[], rows: readonly QueueItem[]) {
  const more = totals.reduce((sum, { count }) => sum + count, 0) - rows.length
  if (more <= 0) return undefined
  const verb = more === 1 ? 'waits' : 'wait'
  return html`<p role="note">
    ${more} more ${verb} than are listed: of each kind and country, the oldest ${perKind} at most.
  </p>`
}

function itemsTable(rows: readonly Located<QueueItem>[], nowMs: number) {
  return table({
    caption: 'What waits for an operator',
    empty: 'Nothing waits for an operator.',
    rows,
    columns: [
      {
        head: 'What',
        cell: (item) => {
          const { text, hrefOf } = kinds[item.kind]
          const href = hrefOf(item.country, item)
          return html`${href === undefined ? text : html`<a href="${href}">${text}</a>`}
            <span class="soft wrap">${showText(item.subject ?? item.id)}</span>`
        },
      },
      { head: 'Why', cell: ({ detail }) => html`<span class="wrap">${showText(detail)}</span>` },
      { head: 'Country', cell: ({ country }) => showCountry(country) },
      { head: 'Money', isNumber: true, cell: ({ amount }) => showMoney(amount) },
      { head: 'Waits', isNumber: true, cell: ({ since }) => showAge(since, nowMs) },
      { head: 'Asked by', cell: ({ askedBy }) => askedBy ?? '–' },
    ],
  })
}

interface Kind {
  readonly text: string
  /** The address of the page on which an operator looks into the item, and acts. */
  readonly hrefOf: (country: Country, item: QueueItem) => string | undefined
}

const ofReceipt = (country: Country, { subject, id }: QueueItem) =>
  `/receipts/${country}/${encodeURIComponent(subject ?? id)}`
const ofReport = (country: Country, { subject, id }: QueueItem) =>
  `/reports/${country}/${encodeURIComponent(subject ?? id)}`
const ofPayment = (country: Country, { checkoutId, intentId }: QueueItem) => {
  const id = checkoutId ?? intentId
  return id === undefined ? undefined : `/payments/${country}/${id}`
}
const ofDay = (country: Country, { id }: QueueItem) =>
  `/reconciliation/${country}/${id.replace(' ', '/')}`

/** Every kind of the ledger's queue: a new one does not compile until it has a name and a screen. */
const kinds: Readonly<Record<QueueKind, Kind>> = {
  QUEUE_KIND_UNSPECIFIED: { text: 'Unknown', hrefOf: () => undefined },
  QUEUE_KIND_SUSPENSE: { text: 'Held money', hrefOf: ofReceipt },
  QUEUE_KIND_PLACEMENT: { text: 'Placement to approve', hrefOf: ofReceipt },
  QUEUE_KIND_REFUND: { text: 'Refund to approve', hrefOf: ofReceipt },
  QUEUE_KIND_REFUND_CLOSING: { text: 'Refund closing to approve', hrefOf: ofReceipt },
  QUEUE_KIND_REPORT_CLOSING: { text: 'Report closing to approve', hrefOf: ofReport },
  QUEUE_KIND_REPORT_POSTING: { text: 'Report posting to approve', hrefOf: ofReport },
  QUEUE_KIND_FREEZING: { text: 'Wallet freezing to approve', hrefOf: () => '/wallets' },
  QUEUE_KIND_ENROLLMENT: { text: 'Enrolment to approve', hrefOf: () => '/operators' },
  QUEUE_KIND_RETIREMENT: { text: 'Retirement to approve', hrefOf: () => '/operators' },
  QUEUE_KIND_REFUND_UNDECIDED: { text: 'Undecided refund', hrefOf: ofReceipt },
  QUEUE_KIND_REFUND_FAILED: { text: 'Refund that failed', hrefOf: ofReceipt },
  QUEUE_KIND_PAYMENT_REPORT: { text: 'Payment report without money', hrefOf: ofReport },
  QUEUE_KIND_STUCK_INTENT: { text: 'Stuck intent', hrefOf: ofPayment },
  QUEUE_KIND_PARKED_MESSAGE: { text: 'Parked provider message', hrefOf: ofPayment },
  QUEUE_KIND_DIFFERENCE: { text: 'Reconciliation difference', hrefOf: ofDay },
}
