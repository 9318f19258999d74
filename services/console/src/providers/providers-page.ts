import type { Country } from '@malipo/kernel/countries'
import type { ProviderHealth } from '@malipo/ledger-client/console'
import type { Ledgers } from '@malipo/ledger-client/ledger'
import { html } from '@malipo/web/html'
import { askAll } from '../ledgers/ask-all'
import type { VisitOperation } from '../sign-in/signed-in'
import { screenAnswer } from '../web/page-frame'
import { queryOf } from '../web/read-query'
import { showCountry, showMoment, showRail, showWords } from '../web/show-values'
import { table } from '../web/table'

const windows = [
  [15, '15 minutes'],
  [60, '1 hour'],
  [1_440, '24 hours'],
] as const

/** `GET /providers?minutes=…`: the health of each rail in the last 15, 60 or 1440 minutes; 60 for any other number. */
export function providersPage({ ledgers }: { readonly ledgers: Ledgers }): VisitOperation {
  return async (request, visit, response) => {
    const given = queryOf(request).get('minutes')
    const [minutes] = windows.find(([one]) => String(one) === given) ?? windows[1]
    const { answers, missing } = await askAll(ledgers, (ledger) =>
      ledger.readProviderHealth(minutes),
    )
    const rails = answers.flatMap(({ country, answer }) =>
      answer.rails.map((rail) => ({ country, ...rail })),
    )
    const content = html`${missing}
      <p class="tabs">
        ${windows.map(
          ([one, text]) =>
            html`<a href="/providers?minutes=${one}" ${one === minutes && html`aria-current="true"`}
              >${text}</a
            >`,
        )}
      </p>
      ${healthTable(rails)}`
    return screenAnswer(response, visit, { title: 'Providers', section: '/providers', content })
  }
}

function healthTable(rails: readonly (ProviderHealth & { readonly country: Country })[]) {
  return table({
    caption: 'How each rail did, of the attempts that began in this time',
    empty: 'No rail is on.',
    rows: rails,
    columns: [
      {
        head: 'Rail',
        cell: ({ rail, country }) =>
          html`<strong>${showRail(rail)}</strong>
            <span class="soft">${showCountry(country)}</span>`,
      },
      { head: 'Begun', isNumber: true, cell: ({ begun }) => begun },
      {
        head: 'Completed',
        isNumber: true,
        cell: ({ begun, completed }) => share(completed, begun),
      },
      { head: 'Failed', isNumber: true, cell: ({ begun, failed }) => share(failed, begun) },
      { head: 'Expired', isNumber: true, cell: ({ begun, expired }) => share(expired, begun) },
      { head: 'Open', isNumber: true, cell: ({ open }) => open },
      { head: 'Refused calls', isNumber: true, cell: ({ refused }) => refused },
      { head: 'Unanswered calls', isNumber: true, cell: ({ unanswered }) => unanswered },
      {
        head: 'Call, median / 95 %',
        isNumber: true,
        cell: ({ callP50Ms, callP95Ms }) => times(callP50Ms, callP95Ms),
      },
      {
        head: 'To the end, median / 95 %',
        isNumber: true,
        cell: ({ settleP50Ms, settleP95Ms }) => times(settleP50Ms, settleP95Ms),
      },
      { head: 'Causes', cell: ({ causes }) => showWords(causes.join(', ')) },
      { head: 'Last message', cell: ({ lastMessageAt }) => showMoment(lastMessageAt) },
      {
        head: 'Statement read until',
        cell: ({ statementReadUntil }) => showMoment(statementReadUntil),
      },
    ],
  })
}

function share(part: number, all: number): string {
  return all === 0 ? String(part) : `${String(part)} (${String(Math.round((part / all) * 100))} %)`
}

function times(median: number | undefined, most: number | undefined): string {
  if (median === undefined || most === undefined) return '–'
  return [median, most]
    .map((ms) => (ms < 1_000 ? `${String(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`))
    .join(' / ')
}
