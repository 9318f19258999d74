import type { Country } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import { isCheckoutId, isIntentId } from '@malipo/kernel/ids'
import type {
  PaymentEvent,
  PaymentEventKind,
  ReadPaymentResponse,
} from '@malipo/ledger-client/console'
import type { Ledgers } from '@malipo/ledger-client/ledger'
import { type Html, html } from '@malipo/web/html'
import type { VisitOperation } from '../sign-in/signed-in'
import { screenAnswer } from '../web/page-frame'
import { countryOf, notFound, paramOf } from '../web/read-query'
import {
  currencyOf,
  showMoment,
  showMoney,
  showRail,
  showText,
  showWords,
  wordOf,
} from '../web/show-values'
import { facts, table } from '../web/table'

/** `GET /payments/:country/:id`: all that happened to a checkout, or to an intent to pay a handle, in one timeline. */
export function paymentPage({ ledgers }: { readonly ledgers: Ledgers }): VisitOperation {
  return async (request, visit, response) => {
    const [country, id] = [countryOf(request), paramOf(request, 'id')]
    const payment = await readPayment(ledgers, country, id)
    const content = html`${headOf(country, payment)} ${intentsOf(payment)}
      ${receiptsOf(country, payment)}
      <section aria-labelledby="timeline">
        <h2 id="timeline">Timeline</h2>
        <ol class="timeline">
          ${payment.events.map((event) => eventItem(country, event))}
        </ol>
      </section>`
    return screenAnswer(response, visit, { title: `Payment ${id}`, section: '/payments', content })
  }
}

async function readPayment(
  ledgers: Ledgers,
  country: Country,
  id: string,
): Promise<ReadPaymentResponse> {
  const ledger = ledgers[country]
  if (isCheckoutId(id))
    return ledger.readPayment({ $case: 'checkoutId', value: id }).catch(notFound)
  if (!isIntentId(id)) throw new Fault('route_not_found')
  // The id of an intent of a checkout opens the page of the whole checkout.
  const { payments } = await ledger.findPayments(id, 1)
  const checkoutId = payments[0]?.checkoutId
  return ledger
    .readPayment(
      checkoutId === undefined
        ? { $case: 'intentId', value: id }
        : { $case: 'checkoutId', value: checkoutId },
    )
    .catch(notFound)
}

function headOf(country: Country, payment: ReadPaymentResponse): Html {
  const { checkoutId, accountId, amount, reference, description, status } = payment
  return html`<section class="card" aria-label="What was to be paid">
    ${facts([
      [
        'What',
        checkoutId === undefined
          ? 'A payment to a handle'
          : html`Checkout <code class="wrap">${checkoutId}</code>`,
      ],
      ['Country', country === 'ke' ? 'Kenya' : 'Uganda'],
      ['Amount', showMoney(amount)],
      ...(checkoutId === undefined ? [] : [['Status', wordOf(status, 'CHECKOUT_STATUS')] as const]),
      ['Account', html`<code class="wrap">${accountId}</code>`],
      [
        checkoutId === undefined ? 'Handle' : 'Reference',
        html`<span class="wrap">${showText(reference)}</span>`,
      ],
      ['Description', html`<span class="wrap">${showText(description)}</span>`],
    ])}
  </section>`
}

function intentsOf({ intents }: ReadPaymentResponse): Html {
  return html`<section aria-labelledby="intents">
    <h2 id="intents">Intents</h2>
    ${table({
      caption: 'The attempts to pay, the oldest first',
      empty: 'No attempt to pay was made.',
      rows: intents,
      columns: [
        { head: 'Intent', cell: ({ intentId }) => html`<code class="wrap">${intentId}</code>` },
        { head: 'Status', cell: ({ status }) => wordOf(status, 'INTENT_STATUS') },
        { head: 'Rail', cell: ({ rail }) => showRail(rail) },
        {
          head: 'Phone',
          cell: ({ phoneTail }) => (phoneTail === undefined ? '–' : `***${phoneTail}`),
        },
        {
          head: 'Cause',
          cell: ({ cause }) =>
            cause === 'FAILURE_CAUSE_UNSPECIFIED' ? '–' : showWords(wordOf(cause, 'FAILURE_CAUSE')),
        },
        {
          head: 'Provider’s id',
          cell: ({ providerRequestId }) =>
            html`<span class="wrap">${showText(providerRequestId)}</span>`,
        },
        { head: 'Began', cell: ({ startedAt }) => showMoment(startedAt) },
      ],
    })}
  </section>`
}

function receiptsOf(country: Country, { receipts }: ReadPaymentResponse): Html {
  return html`<section aria-labelledby="receipts">
    <h2 id="receipts">Money</h2>
    ${table({
      caption: 'The receipts of the payment, and where their money is',
      empty: 'No money of it is in the journal.',
      rows: receipts,
      columns: [
        {
          head: 'Receipt',
          cell: ({ subject }) =>
            html`<a class="wrap" href="/receipts/${country}/${encodeURIComponent(subject)}"
              >${subject}</a
            >`,
        },
        { head: 'Amount', isNumber: true, cell: ({ amount }) => showMoney(amount) },
        {
          head: 'Where it is',
          cell: ({ holder }) =>
            html`<span class="wrap">${holder ?? 'returned to the payer'}</span>`,
        },
      ],
    })}
  </section>`
}

const kindTexts: Readonly<Record<PaymentEventKind, string>> = {
  PAYMENT_EVENT_KIND_UNSPECIFIED: 'Event',
  PAYMENT_EVENT_KIND_CHECKOUT: 'Checkout',
  PAYMENT_EVENT_KIND_STEP: 'Intent',
  PAYMENT_EVENT_KIND_CALL: 'Call to the provider',
  PAYMENT_EVENT_KIND_MESSAGE: 'Provider message',
  PAYMENT_EVENT_KIND_TRANSFER: 'Journal',
  PAYMENT_EVENT_KIND_DELIVERY: 'Webhook',
  PAYMENT_EVENT_KIND_REFUND: 'Refund',
  PAYMENT_EVENT_KIND_ACTION: 'Operator',
}

function eventItem(country: Country, event: PaymentEvent): Html {
  const { at, kind, subject, outcome, detail, minor } = event
  return html`<li data-kind="${kind}">
    <p class="timeline-what">
      ${kindTexts[kind]}: ${showWords(outcome)}
      ${minor !== undefined && html`, ${showMoney({ minor, currency: currencyOf(country) })}`}
    </p>
    ${detail !== '' && html`<p class="wrap">${showText(detail)}</p>`}
    <p class="soft">${showMoment(at)} · <span class="wrap">${showText(subject)}</span></p>
  </li>`
}
