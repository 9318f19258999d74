import type { Country } from '@malipo/kernel/countries'
import type { QueueItem } from '@malipo/ledger-client/console'
import type { Ledgers } from '@malipo/ledger-client/ledger'
import { html } from '@malipo/web/html'
import { askForm, choice, decideForm } from '../acts/act-forms'
import { askAll } from '../ledgers/ask-all'
import type { Visit, VisitOperation } from '../sign-in/signed-in'
import { screenAnswer } from '../web/page-frame'
import { showCountry } from '../web/show-values'

/** `GET /wallets`: the page on which operators ask for a freeze or a thaw, and decide. */
export function walletsPage({ ledgers }: { readonly ledgers: Ledgers }): VisitOperation {
  return async (_request, visit, response) => {
    const { answers, missing } = await askAll(ledgers, (ledger) => ledger.listQueue(50))
    const freezings = answers.flatMap(({ country, answer }) =>
      answer.items
        .filter(({ kind }) => kind === 'QUEUE_KIND_FREEZING')
        .map((item) => ({ country, ...item })),
    )
    const content = html`${missing}
      <section class="stack" aria-labelledby="requests">
        <h2 id="requests">What was asked for</h2>
        ${freezings.length === 0 && html`<p class="empty">No wallet waits for an approval.</p>`}
        ${freezings.map((item) => decision(item, visit))}
      </section>
      <section class="stack" aria-labelledby="ask">
        <h2 id="ask">Freeze or thaw a wallet</h2>
        <p>A frozen wallet takes no money. Two operators freeze it, and two thaw it.</p>
        <div class="columns">${(['ke', 'ug'] as const).map(freezingForm)}</div>
      </section>`
    return screenAnswer(response, visit, { title: 'Wallets', section: '/wallets', content })
  }
}

function decision(item: QueueItem & { readonly country: Country }, { operator }: Visit) {
  return decideForm({
    ...{ act: 'DecideFreezing', country: item.country, hidden: { freezingId: item.id } },
    title: `${showCountry(item.country)}: ${item.detail}, asked by ${item.askedBy ?? ''}`,
    isOwn: item.askedById === operator.operatorId,
  })
}

function freezingForm(country: Country) {
  return askForm({
    ...{ act: 'AskFreezing', country },
    title: showCountry(country),
    hidden: {},
    fields: html`<div class="field">
        <label for="account-${country}">Account</label>
        <input
          id="account-${country}"
          name="accountId"
          type="text"
          autocomplete="off"
          maxlength="64"
          required
        />
      </div>
      ${choice('What shall happen?', 'frozen', [
        ['1', 'Freeze it'],
        ['0', 'Thaw it'],
      ])}`,
    button: 'Ask for it',
  })
}
