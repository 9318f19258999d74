import type { Country } from '@malipo/kernel/countries'
import type { ReconReport } from '@malipo/ledger-client/console'
import type { Ledgers } from '@malipo/ledger-client/ledger'
import { type Html, html } from '@malipo/web/html'
import { askAll } from '../ledgers/ask-all'
import type { VisitOperation } from '../sign-in/signed-in'
import { screenAnswer } from '../web/page-frame'
import { currencyOf, showCountry, showMoment, showMoney, showRail } from '../web/show-values'
import { table } from '../web/table'

const reportsMax = 60

/** `GET /reconciliation`: what the comparison of each day found. */
export function reconciliationPage({ ledgers }: { readonly ledgers: Ledgers }): VisitOperation {
  return async (_request, visit, response) => {
    const { answers, missing } = await askAll(ledgers, (ledger) =>
      ledger.listReconReports(reportsMax),
    )
    const reports = answers
      .flatMap(({ country, answer }) => answer.reports.map((report) => ({ country, ...report })))
      .sort((one, other) => other.day.localeCompare(one.day))
    const content = html`${missing}
      <p>
        The ledger compares each day with what the provider says, an hour after its end. What the
        provider’s word is not known of yet is unknown, and neither even nor a difference.
      </p>
      ${reportsTable(reports)}`
    return screenAnswer(response, visit, {
      ...{ title: 'Reconciliation', section: '/reconciliation', content },
    })
  }
}

function reportsTable(reports: readonly (ReconReport & { readonly country: Country })[]) {
  const money = (country: Country, minor: bigint) =>
    showMoney({ minor, currency: currencyOf(country) })
  return table({
    caption: 'The newest report of each day and provider',
    empty: 'No day was reconciled yet.',
    rows: reports,
    columns: [
      {
        head: 'Day',
        cell: ({ country, day, provider }) =>
          html`<a href="/reconciliation/${country}/${day}/${provider}"
              >${day} ${showRail(provider)}</a
            >
            <span class="soft">${showCountry(country)}</span>`,
      },
      {
        head: 'Provider',
        isNumber: true,
        cell: ({ country, providerReceipts, providerMinor }) =>
          `${String(providerReceipts)}: ${money(country, providerMinor)}`,
      },
      {
        head: 'Journal',
        isNumber: true,
        cell: ({ country, journalReceipts, journalMinor }) =>
          `${String(journalReceipts)}: ${money(country, journalMinor)}`,
      },
      {
        head: 'Difference',
        isNumber: true,
        cell: showDifference,
      },
      {
        head: 'Unknown',
        isNumber: true,
        cell: ({ country, unknownReceipts, unknownMinor }) =>
          `${String(unknownReceipts)}: ${money(country, unknownMinor)}`,
      },
      {
        head: 'Refunded',
        isNumber: true,
        cell: ({ country, refundedMinor }) => money(country, refundedMinor),
      },
      {
        head: 'Read',
        cell: ({ isRead, readUntil }) =>
          html`${isRead ? 'to the end' : 'until'} ${!isRead && showMoment(readUntil)}`,
      },
      { head: 'Made', cell: ({ madeAt }) => showMoment(madeAt) },
    ],
  })
}

/** While a day is not read to its end, a difference of 0 is not known yet. */
export function showDifference({
  country,
  isRead,
  differenceMinor,
}: Pick<ReconReport, 'isRead' | 'differenceMinor'> & { readonly country: Country }): Html | string {
  if (!isRead && differenceMinor === 0n) return 'unknown'
  const amount = showMoney({ minor: differenceMinor, currency: currencyOf(country) })
  return html`<span class="badge ${differenceMinor === 0n ? 'good' : 'bad'}">${amount}</span>`
}
