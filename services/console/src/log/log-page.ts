import { type Country, countries } from '@malipo/kernel/countries'
import type { LoggedAction } from '@malipo/ledger-client/console'
import type { Ledgers } from '@malipo/ledger-client/ledger'
import { type Html, html } from '@malipo/web/html'
import type { VisitOperation } from '../sign-in/signed-in'
import { screenAnswer } from '../web/page-frame'
import { queryOf } from '../web/read-query'
import { showCountry, showMoment, showText, showWords } from '../web/show-values'
import { table } from '../web/table'

const pageSize = 50

/** `GET /log?country=…`: the acts of operators. The database refuses to change or remove a row. */
export function logPage({ ledgers }: { readonly ledgers: Ledgers }): VisitOperation {
  return async (request, visit, response) => {
    const query = queryOf(request)
    const country: Country = query.get('country') === 'ug' ? 'ug' : 'ke'
    const before = /^\d{1,18}$/.test(query.get('before') ?? '')
      ? BigInt(query.get('before') ?? '')
      : undefined
    const { actions, hasMore } = await ledgers[country].listActions(pageSize, before)
    const last = actions.at(-1)
    const content = html`<p class="tabs">
        ${Object.values(countries).map(
          ({ country: one }) =>
            html`<a href="/log?country=${one}" ${one === country && html`aria-current="true"`}
              >${showCountry(one)}</a
            >`,
        )}
      </p>
      ${actionsTable(country, actions)}
      ${
        hasMore &&
        last !== undefined &&
        html`<a
          class="button quiet fitting"
          href="/log?country=${country}&amp;before=${String(last.action)}"
          >Earlier</a
        >`
      }`
    return screenAnswer(response, visit, { title: 'Log', section: '/log', content })
  }
}

function actionsTable(country: Country, actions: readonly LoggedAction[]): Html {
  return table({
    caption: 'Acts of operators, newest first',
    empty: 'Nothing was done by hand yet.',
    rows: actions,
    columns: [
      { head: 'No.', isNumber: true, cell: ({ action }) => String(action) },
      { head: 'Time', cell: ({ at }) => showMoment(at) },
      {
        head: 'Operator',
        cell: ({ operator }) => html`<span class="wrap">${showText(operator)}</span>`,
      },
      { head: 'Did', cell: ({ did }) => showWords(did) },
      { head: 'About', cell: ({ subject }) => aboutOf(country, subject) },
      { head: 'Reason', cell: ({ note }) => html`<span class="wrap">${showText(note)}</span>` },
    ],
  })
}

function aboutOf(country: Country, subject: string): Html {
  const isReceipt = /^(?:mpesa|mtn_momo|airtel_money|card):/.test(subject)
  return isReceipt
    ? html`<a class="wrap" href="/receipts/${country}/${encodeURIComponent(subject)}"
        >${subject}</a
      >`
    : html`<span class="wrap">${showText(subject)}</span>`
}
