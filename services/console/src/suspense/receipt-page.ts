import type { Country } from '@malipo/kernel/countries'
import type {
  OperatorAction,
  Placement,
  ReadReceiptResponse,
  ReceiptTransfer,
  Refund,
} from '@malipo/ledger-client/console'
import type { Ledgers } from '@malipo/ledger-client/ledger'
import { type Html, html } from '@malipo/web/html'
import { textField } from '@malipo/web/fields'
import { askForm, choice, decideForm } from '../acts/act-forms'
import type { VisitOperation } from '../sign-in/signed-in'
import { screenAnswer } from '../web/page-frame'
import { countryOf, notFound, paramOf } from '../web/read-query'
import { currencyOf, showMoment, showMoney, showText, showWords, wordOf } from '../web/show-values'
import { facts, table } from '../web/table'

/** `GET /receipts/:country/:subject`: where the money of a receipt is, and what two operators can do about it. */
export function receiptPage({ ledgers }: { readonly ledgers: Ledgers }): VisitOperation {
  return async (request, visit, response) => {
    const [country, subject] = [countryOf(request), paramOf(request, 'subject')]
    const receipt = await ledgers[country].readReceipt(subject).catch(notFound)
    const own = visit.operator.name
    const content = html`${headOf(country, receipt)}
      <section class="stack" aria-labelledby="acts">
        <h2 id="acts">What can be done</h2>
        ${actsOf(country, receipt, own)}
      </section>
      ${requestsOf(receipt)} ${journalOf(country, receipt)} ${actionsOf(receipt.actions)}`
    return screenAnswer(response, visit, { title: `Receipt ${subject}`, section: '/', content })
  }
}

function headOf(country: Country, { subject, amount, holder, intents }: ReadReceiptResponse): Html {
  return html`<section class="card" aria-label="The money">
    ${facts([
      ['Receipt', html`<code class="wrap">${subject}</code>`],
      ['Amount', showMoney(amount)],
      ['Where it is', html`<span class="wrap">${holder ?? 'returned to the payer'}</span>`],
      [
        'Payments',
        intents.length === 0
          ? 'none: it came without an intent'
          : intents.map(
              ({ intentId, checkoutId, disposition }) =>
                html`<p>
                  <a class="wrap" href="/payments/${country}/${checkoutId ?? intentId}"
                    >${checkoutId ?? intentId}</a
                  >
                  ${showWords(disposition)}
                </p>`,
            ),
      ],
    ])}
  </section>`
}

function actsOf(country: Country, receipt: ReadReceiptResponse, own: string): Html {
  const { subject, holder } = receipt
  const placement = receipt.placements.find(({ status }) => status === 'asked')
  const refund = receipt.refunds.find(({ status }) =>
    ['asked', 'approved', 'submitted'].includes(status),
  )
  if (placement !== undefined) return placementDecision(country, placement, own)
  if (refund !== undefined) return refundActs(country, refund, own)
  if (holder === undefined) return html`<p>Nothing: the money went back to its payer.</p>`
  const isHeld = holder.startsWith('suspense:')
  return html`<div class="columns">
    ${isHeld && placementForm(country, subject)} ${refundForm(country, subject)}
  </div>`
}

function placementForm(country: Country, subject: string): Html {
  return askForm({
    ...{ act: 'AskPlacement', country, hidden: { subject } },
    title: 'Place it',
    fields: textField({
      name: 'owner',
      label: 'Checkout or account',
      hint: 'A checkout takes its own amount, also rounded up to a whole shilling; a wallet takes any.',
    }),
    button: 'Ask to place it',
  })
}

function refundForm(country: Country, subject: string): Html {
  return askForm({
    ...{ act: 'AskRefund', country, hidden: { subject } },
    title: 'Refund all of it',
    fields: choice('Who sends the money back?', 'sentBy', [
      ['1', 'Malipo, by a call to the provider'],
      ['2', 'The provider already did, as seen in its portal'],
    ]),
    button: 'Ask to refund it',
  })
}

function placementDecision(country: Country, placement: Placement, own: string): Html {
  const { placementId, owner, askedBy } = placement
  return decideForm({
    ...{ act: 'DecidePlacement', country, hidden: { placementId } },
    title: `Placement to ${owner?.value ?? 'an unknown owner'}, asked by ${askedBy}`,
    isOwn: askedBy === own,
  })
}

const senderText: Readonly<Record<Refund['sentBy'], string>> = {
  REFUND_SENDER_UNSPECIFIED: 'sender unknown',
  REFUND_SENDER_US: 'which Malipo sends',
  REFUND_SENDER_PROVIDER: 'which the provider already sent',
}

function refundActs(country: Country, refund: Refund, own: string): Html {
  const { refundId, status, askedBy, closing } = refund
  if (status === 'asked') {
    return decideForm({
      ...{ act: 'DecideRefund', country, hidden: { refundId } },
      title: `Refund of ${showMoney({ minor: refund.minor, currency: currencyOf(country) })}, ${senderText[refund.sentBy]}, asked by ${askedBy}`,
      isOwn: askedBy === own,
    })
  }
  if (status === 'approved') return html`<p>The refund is approved, and will be sent.</p>`
  if (closing !== undefined) {
    const end = closing.end === 'REFUND_END_PAID' ? '1' : '2'
    return decideForm({
      ...{ act: 'DecideRefundClosing', country, hidden: { refundId, end } },
      title: `Close the refund as ${wordOf(closing.end, 'REFUND_END')}, asked by ${closing.askedBy}`,
      isOwn: closing.askedBy === own,
    })
  }
  return askForm({
    ...{ act: 'AskRefundClosing', country, hidden: { refundId } },
    title: 'The refund was sent, and its outcome is not known',
    fields: html`<p>
        It is asked about for 72 hours. Then two people who looked it up at the provider close it.
      </p>
      ${choice('What did you see at the provider?', 'end', [
        ['1', 'The payer has the money'],
        ['2', 'The money never went'],
      ])}`,
    button: 'Ask to close it',
  })
}

function requestsOf({ refunds, placements }: ReadReceiptResponse): Html {
  const rows = [
    ...placements.map(({ placementId, status, askedBy, askedAt, decidedBy, owner }) => ({
      ...{ id: placementId, status, askedBy, askedAt, decidedBy },
      what: `place it: ${owner?.value ?? ''}`,
    })),
    ...refunds.map(({ refundId, status, askedBy, askedAt, decidedBy, sentBy, contradicted }) => ({
      ...{ id: refundId, status, askedBy, askedAt, decidedBy },
      what: `refund it, ${senderText[sentBy]}${contradicted ? ' (the provider contradicted it later)' : ''}`,
    })),
  ]
  return html`<section aria-labelledby="requests">
    <h2 id="requests">What was asked for</h2>
    ${table({
      caption: 'Placements and refunds of this receipt',
      empty: 'Nothing yet.',
      rows,
      columns: [
        { head: 'What', cell: ({ what }) => html`<span class="wrap">${what}</span>` },
        { head: 'Status', cell: ({ status }) => showWords(status) },
        { head: 'Asked by', cell: ({ askedBy }) => askedBy },
        { head: 'Asked', cell: ({ askedAt }) => showMoment(askedAt) },
        { head: 'Decided by', cell: ({ decidedBy }) => decidedBy ?? '–' },
        { head: 'Id', cell: ({ id }) => html`<code class="wrap">${id}</code>` },
      ],
    })}
  </section>`
}

function journalOf(country: Country, { transfers }: ReadReceiptResponse): Html {
  const currency = currencyOf(country)
  return html`<section aria-labelledby="journal">
    <h2 id="journal">Journal</h2>
    ${table<ReceiptTransfer>({
      caption: 'The transfers of this receipt',
      empty: 'None.',
      rows: transfers,
      columns: [
        { head: 'What', cell: ({ eventKey }) => eventKey.split(':')[0] },
        { head: 'From', cell: ({ debit }) => html`<span class="wrap">${debit}</span>` },
        { head: 'To', cell: ({ credit }) => html`<span class="wrap">${credit}</span>` },
        { head: 'Amount', isNumber: true, cell: ({ minor }) => showMoney({ minor, currency }) },
        { head: 'Time', cell: ({ at }) => showMoment(at) },
      ],
    })}
  </section>`
}

function actionsOf(actions: readonly OperatorAction[]): Html {
  return html`<section aria-labelledby="actions">
    <h2 id="actions">What operators did</h2>
    ${table({
      caption: 'Acts of operators about this receipt',
      empty: 'Nothing yet.',
      rows: actions,
      columns: [
        { head: 'Time', cell: ({ at }) => showMoment(at) },
        { head: 'Operator', cell: ({ operator }) => operator },
        { head: 'Did', cell: ({ did }) => showWords(did) },
        { head: 'Reason', cell: ({ note }) => html`<span class="wrap">${showText(note)}</span>` },
      ],
    })}
  </section>`
}
