import type { Country } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { QueueItem } from '@malipo/ledger-client/console'
import type { Ledgers } from '@malipo/ledger-client/ledger'
import type { Clock } from '@malipo/runtime/clock'
import { type Html, html } from '@malipo/web/html'
import { askForm, decideForm } from '../acts/act-forms'
import type { VisitOperation } from '../sign-in/signed-in'
import { screenAnswer } from '../web/page-frame'
import { countryOf, paramOf } from '../web/read-query'
import { showAge, showMoney, showText } from '../web/show-values'
import { facts } from '../web/table'

/** `GET /reports/:country/:subject`: a payment that was reported and is in no journal. */
export function reportPage(deps: {
  readonly ledgers: Ledgers
  readonly clock: Clock
}): VisitOperation {
  return async (request, visit, response) => {
    const [country, subject] = [countryOf(request), paramOf(request, 'subject')]
    const { items } = await deps.ledgers[country].listQueue(50)
    const about = items.filter((item) => item.subject === subject)
    const closing = about.find(({ kind }) => kind === 'QUEUE_KIND_REPORT_CLOSING')
    const report = about.find(({ kind }) => kind === 'QUEUE_KIND_PAYMENT_REPORT')
    const shown = closing ?? report
    if (shown === undefined) throw new Fault('route_not_found')
    const content = html`${headOf(country, shown, deps.clock.now())}
    ${
      closing === undefined
        ? askForm({
            ...{ act: 'AskReportClosing', country, hidden: { subject } },
            title: 'The provider knows nothing of it',
            fields: html`<p>
              Closed, it is no finding and no difference any more, and the payer’s page says that it
              was not paid. Money that comes later is posted as ever.
            </p>`,
            button: 'Ask to close it',
          })
        : decideForm({
            ...{ act: 'DecideReportClosing', country, hidden: { closingId: closing.id } },
            title: `Close the report, asked by ${closing.askedBy ?? ''}`,
            isOwn: closing.askedById === visit.operator.operatorId,
          })
    }`
    return screenAnswer(response, visit, { title: `Report ${subject}`, section: '/', content })
  }
}

function headOf(country: Country, item: QueueItem, nowMs: number): Html {
  const payment = item.checkoutId ?? item.intentId
  return html`<section class="card" aria-label="What was reported">
    ${facts([
      ['About', html`<code class="wrap">${item.subject}</code>`],
      ['Amount', showMoney(item.amount)],
      ['Waits', showAge(item.since, nowMs)],
      ['Why', showText(item.detail)],
      [
        'Payment',
        payment === undefined
          ? 'unknown'
          : html`<a class="wrap" href="/payments/${country}/${payment}">${payment}</a>`,
      ],
    ])}
  </section>`
}
