import type { Country } from '@malipo/kernel/countries'
import type { DayReceipt } from '@malipo/ledger-client/console'
import type { Ledgers } from '@malipo/ledger-client/ledger'
import { html } from '@malipo/web/html'
import type { VisitOperation } from '../sign-in/signed-in'
import { screenAnswer } from '../web/page-frame'
import { countryOf, notFound, paramOf, queryOf } from '../web/read-query'
import { currencyOf, showMoment, showMoney, showRail } from '../web/show-values'
import { table } from '../web/table'

/** `GET /reconciliation/:country/:day/:provider`: the receipts of a day as both sides have them. */
export function dayPage({ ledgers }: { readonly ledgers: Ledgers }): VisitOperation {
  return async (request, visit, response) => {
    const country = countryOf(request)
    const [day, provider] = [paramOf(request, 'day'), paramOf(request, 'provider')]
    const afterReceipt = queryOf(request).get('after') ?? undefined
    const { receipts, hasMore } = await ledgers[country]
      .listDayReceipts({ day, provider, afterReceipt })
      .catch(notFound)
    const last = receipts.at(-1)
    const content = html`<p><a href="/reconciliation">All days</a></p>
      <p>
        The provider’s word is its statement, or where it has none its answer about each payment.
        What the journal has from after the time to which the statement was read is unknown.
      </p>
      ${receiptsTable(country, provider, receipts)}
      ${
        hasMore &&
        last !== undefined &&
        html`<a class="button quiet fitting" href="?after=${encodeURIComponent(last.receipt)}"
          >Next</a
        >`
      }`
    return screenAnswer(response, visit, {
      title: `${day}, ${showRail(provider)}`,
      ...{ section: '/reconciliation', content },
    })
  }
}

const tones: Readonly<Record<string, string>> = { even: 'good', differs: 'bad' }

function receiptsTable(country: Country, provider: string, receipts: readonly DayReceipt[]) {
  const currency = currencyOf(country)
  const money = (minor: bigint | undefined) =>
    minor === undefined ? 'not there' : showMoney({ minor, currency })
  return table({
    caption: 'The receipts of the day, those that differ first',
    empty: 'Neither side has a receipt of this day.',
    rows: receipts,
    columns: [
      {
        head: 'Receipt',
        cell: ({ receipt, journalMinor }) =>
          journalMinor === undefined
            ? html`<span class="wrap">${receipt}</span>`
            : html`<a
                class="wrap"
                href="/receipts/${country}/${encodeURIComponent(`${provider}:${receipt}`)}"
                >${receipt}</a
              >`,
      },
      { head: 'Provider', isNumber: true, cell: ({ providerMinor }) => money(providerMinor) },
      { head: 'Journal', isNumber: true, cell: ({ journalMinor }) => money(journalMinor) },
      {
        head: 'Even',
        cell: ({ standing }) => {
          const tone = tones[standing]
          return tone === undefined
            ? standing
            : html`<span class="badge ${tone}">${standing}</span>`
        },
      },
      { head: 'Time', cell: ({ at }) => showMoment(at) },
      {
        head: 'Payment',
        cell: ({ checkoutId, intentId }) => {
          const id = checkoutId ?? intentId
          return id === undefined
            ? '–'
            : html`<a class="wrap" href="/payments/${country}/${id}">${id}</a>`
        },
      },
    ],
  })
}
