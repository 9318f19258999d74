import type { Country } from '@malipo/kernel/countries'
import type { QueueItem } from '@malipo/ledger-client/console'
import type { Ledgers } from '@malipo/ledger-client/ledger'
import type { Clock } from '@malipo/runtime/clock'
import { amountField, textField } from '@malipo/web/fields'
import { type Html, html } from '@malipo/web/html'
import { askForm, decideForm } from '../acts/act-forms'
import type { Visit, VisitOperation } from '../sign-in/signed-in'
import { screenAnswer } from '../web/page-frame'
import { countryOf, paramOf } from '../web/read-query'
import { showAge, showMoney, showText } from '../web/show-values'
import { facts } from '../web/table'
import { absentScreen } from './absent-screen'

/** `GET /reports/:country/:subject`: a payment that was reported as paid, and whose money is not posted. */
export function reportPage(deps: {
  readonly ledgers: Ledgers
  readonly clock: Clock
}): VisitOperation {
  return async (request, visit, response) => {
    const [country, subject] = [countryOf(request), paramOf(request, 'subject')]
    const queue = await deps.ledgers[country].listQueue(50)
    const about = queue.items.filter((item) => item.subject === subject)
    const requests = about.flatMap((item) => decisionOf(country, item, visit) ?? [])
    const report = about.find(({ kind }) => kind === 'QUEUE_KIND_PAYMENT_REPORT')
    const [shown] = about
    if (shown === undefined) return screenAnswer(response, visit, absentScreen(subject, queue))
    const forms =
      report &&
      html`<div class="columns">
        ${postingForm(country, report)} ${closingForm(country, subject)}
      </div>`
    const content = html`${headOf(country, shown, deps.clock.now())}
      <section class="stack" aria-labelledby="acts">
        <h2 id="acts">What can be done</h2>
        ${requests} ${forms}
      </section>`
    return screenAnswer(response, visit, { title: `Report ${subject}`, section: '/', content })
  }
}

/** The form that approves or refuses what an operator asked for; undefined for an item that needs no decision. */
function decisionOf(country: Country, item: QueueItem, visit: Visit): Html | undefined {
  const { kind, id, askedBy = '', askedById, detail, amount } = item
  const isOwn = askedById === visit.operator.operatorId
  if (kind === 'QUEUE_KIND_REPORT_CLOSING') {
    return decideForm({
      ...{ act: 'DecideReportClosing', country, hidden: { closingId: id } },
      ...{ title: `Close the report, asked by ${askedBy}`, isOwn },
    })
  }
  if (kind !== 'QUEUE_KIND_REPORT_POSTING') return undefined
  // `detail` names the receipt that is to be posted, such as `post R1`.
  const title = `${detail.charAt(0).toUpperCase()}${detail.slice(1)}, ${showMoney(amount)}, asked by ${askedBy}`
  return decideForm({
    act: 'DecideReportPosting',
    country,
    hidden: { postingId: id },
    title,
    isOwn,
  })
}

/** Undefined for a payment from the Pay Bill menu: there is no attempt that its money could be posted for. */
function postingForm(country: Country, { intentId }: QueueItem): Html | undefined {
  if (intentId === undefined) return undefined
  return askForm({
    ...{ act: 'AskReportPosting', country, hidden: { intentId } },
    title: 'The provider has the money',
    fields: html`<p>
        For a payment that the provider’s portal shows and no answer or statement brings. Posting it
        completes the attempt. With a wrong receipt, the right one is not posted later: look twice.
      </p>
      ${textField({ name: 'receipt', label: 'Receipt in the portal' })}
      ${amountField({ name: 'amount', label: 'Amount in the portal' })}`,
    button: 'Ask to post it',
  })
}

function closingForm(country: Country, subject: string): Html {
  return askForm({
    ...{ act: 'AskReportClosing', country, hidden: { subject } },
    title: 'The provider knows nothing of it',
    fields: html`<p>
      Closed, it is no finding and no difference any more, and the payer’s page says that it was not
      paid. Money that comes later is posted as ever.
    </p>`,
    button: 'Ask to close it',
  })
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
