import type { Country } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { FoundPayment } from '@malipo/ledger-client/console'
import type { Ledgers } from '@malipo/ledger-client/ledger'
import { html } from '@malipo/web/html'
import { askAll } from '../ledgers/ask-all'
import type { VisitOperation } from '../sign-in/signed-in'
import { screenAnswer } from '../web/page-frame'
import { queryOf } from '../web/read-query'
import { showMoment, showMoney, showRail, showText, wordOf } from '../web/show-values'
import { table } from '../web/table'

const limit = 50

/** `GET /payments?search=…`: by the id of a checkout or an intent, a receipt, a reference, or the end of a phone. */
export function paymentsPage({ ledgers }: { readonly ledgers: Ledgers }): VisitOperation {
  return async (request, visit, response) => {
    const search = (queryOf(request).get('search') ?? '').trim()
    const found = search === '' ? undefined : await findIn(ledgers, search)
    const content = html`<form class="search" role="search" action="/payments">
        <div class="field">
          <label for="search"
            >Checkout, intent, receipt, reference, or the last digits of a phone</label
          >
          <input
            id="search"
            name="search"
            type="search"
            autocomplete="off"
            value="${search}"
            minlength="3"
            maxlength="64"
            required
            aria-describedby="search-hint"
          />
          <p class="field-hint" id="search-hint">A phone is looked for in the last seven days.</p>
        </div>
        <button type="submit" class="button fitting">Search</button>
      </form>
      ${found?.missing} ${found && resultsTable(found.payments)}`
    return screenAnswer(response, visit, { title: 'Payments', section: '/payments', content })
  }
}

type Located = FoundPayment & { readonly country: Country }

async function findIn(ledgers: Ledgers, search: string) {
  const { answers, missing } = await askAll(ledgers, (ledger) =>
    ledger.findPayments(search, limit).catch((error: unknown) => {
      // The ledger refuses a search that is too short or too long. The page then shows that nothing was found.
      if (error instanceof Fault && error.reason === 'invalid_request') return { payments: [] }
      throw error
    }),
  )
  const payments: Located[] = answers.flatMap(({ country, answer }) =>
    answer.payments.map((payment) => ({ country, ...payment })),
  )
  return { payments, missing }
}

function resultsTable(payments: readonly Located[]) {
  return table({
    caption: 'Payments found: the newest first, those of a phone last',
    empty: 'No payment matches. Ids and receipts are looked for whole.',
    rows: payments,
    columns: [
      {
        head: 'Payment',
        cell: ({ country, checkoutId, intentId }) => {
          const id = checkoutId ?? intentId ?? ''
          return html`<a class="wrap" href="/payments/${country}/${id}">${id}</a>`
        },
      },
      { head: 'Money', isNumber: true, cell: ({ amount }) => showMoney(amount) },
      { head: 'Status', cell: ({ status }) => statusText(status) },
      { head: 'Rail', cell: ({ rail }) => (rail === 'RAIL_UNSPECIFIED' ? '–' : showRail(rail)) },
      {
        head: 'Phone',
        cell: ({ phoneTail }) => (phoneTail === undefined ? '–' : `***${phoneTail}`),
      },
      {
        head: 'Receipt',
        cell: ({ receipt }) => html`<span class="wrap">${showText(receipt)}</span>`,
      },
      {
        head: 'Reference',
        cell: ({ reference }) => html`<span class="wrap">${showText(reference)}</span>`,
      },
      { head: 'Began', cell: ({ at }) => showMoment(at) },
    ],
  })
}

function statusText(status: string): string {
  return status === 'INTENT_STATUS_UNSPECIFIED' ? 'not tried yet' : wordOf(status, 'INTENT_STATUS')
}
