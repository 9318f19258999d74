import type { Country } from '@malipo/kernel/countries'
import type { Operator } from '@malipo/ledger-client/console'
import type { Ledgers } from '@malipo/ledger-client/ledger'
import { type Html, html } from '@malipo/web/html'
import { askForm, decideForm } from '../acts/act-forms'
import { askAll } from '../ledgers/ask-all'
import type { Visit, VisitOperation } from '../sign-in/signed-in'
import { screenAnswer } from '../web/page-frame'
import { showCountry, showText } from '../web/show-values'
import { table } from '../web/table'

type Located = Operator & { readonly country: Country }

/** `GET /operators`: who may act, and the enrolments and retirements that wait. */
export function operatorsPage({ ledgers }: { readonly ledgers: Ledgers }): VisitOperation {
  return async (_request, visit, response) => {
    const { answers, missing } = await askAll(ledgers, (ledger) => ledger.listOperators())
    const operators: Located[] = answers.flatMap(({ country, answer }) =>
      answer.operators.map((operator) => ({ country, ...operator })),
    )
    const content = html`${missing}
      <section class="stack" aria-labelledby="requests">
        <h2 id="requests">What was asked for</h2>
        ${waiting(operators, visit)}
      </section>
      <section aria-labelledby="operators">
        <h2 id="operators">Operators</h2>
        ${operatorsTable(operators)}
      </section>
      <section class="stack" aria-labelledby="ask">
        <h2 id="ask">Ask for a change</h2>
        <div class="columns">${enrolForm()} ${retireForm(operators)}</div>
      </section>`
    return screenAnswer(response, visit, { title: 'Operators', section: '/operators', content })
  }
}

function waiting(operators: readonly Located[], { operator: own }: Visit): Html {
  const enrolments = operators.filter(({ status }) => status === 'asked')
  const retirements = operators.filter(({ status }) => status === 'retiring')
  if (enrolments.length + retirements.length === 0) {
    return html`<p class="empty">No operator waits for an approval.</p>`
  }
  return html`${enrolments.map(({ country, operatorId, name, subject, askedBy }) =>
    decideForm({
      ...{ act: 'DecideEnrollment', country, hidden: { operatorId }, needsNote: false },
      title: `${showCountry(country)}: enrol ${name}, asked by ${askedBy ?? ''}`,
      fields: html`<p>
        Ask ${name} in a way in which you know them: is the key
        <code class="wrap">${operatorId}</code> theirs, and are they
        <strong class="wrap">${showText(subject)}</strong>?
      </p>`,
      isOwn: askedBy === own.name,
    }),
  )}
  ${retirements.map(({ country, operatorId, name, retirementAskedBy }) =>
    decideForm({
      ...{ act: 'DecideRetirement', country, hidden: { operatorId }, needsNote: false },
      title: `${showCountry(country)}: retire ${name}, asked by ${retirementAskedBy ?? ''}`,
      fields: html`<p>The key <code class="wrap">${operatorId}</code> is never accepted again.</p>`,
      isOwn: retirementAskedBy === own.name,
    }),
  )}`
}

function operatorsTable(operators: readonly Located[]): Html {
  return table({
    caption: 'Operators of both countries',
    empty: 'No operator is enrolled.',
    rows: operators,
    columns: [
      { head: 'Name', cell: ({ name }) => name },
      {
        head: 'Person',
        cell: ({ subject }) => html`<span class="wrap">${showText(subject)}</span>`,
      },
      { head: 'Country', cell: ({ country }) => showCountry(country) },
      { head: 'Status', cell: ({ status }) => status },
      { head: 'Key', cell: ({ operatorId }) => html`<code class="wrap">${operatorId}</code>` },
      {
        head: 'Enrolled by',
        cell: ({ askedBy, enrolledBy }) =>
          [askedBy, enrolledBy].filter(Boolean).join(' and ') || 'at installation',
      },
    ],
  })
}

function enrolForm(): Html {
  return askForm({
    ...{ act: 'EnrollOperator', country: 'both', needsNote: false },
    title: 'Enrol an operator',
    fields: html`<div class="field">
      <label for="enrolment">Line of the new operator</label>
      <input
        id="enrolment"
        name="enrolment"
        type="text"
        autocomplete="off"
        required
        aria-describedby="enrolment-hint"
      />
      <p class="field-hint" id="enrolment-hint">
        Their sign-in page shows it: name, key and person. A person has one key.
      </p>
    </div>`,
    button: 'Ask to enrol',
  })
}

function retireForm(operators: readonly Located[]): Html {
  const active = new Map(
    operators.filter(({ status }) => status === 'enrolled').map((one) => [one.operatorId, one]),
  )
  return askForm({
    ...{ act: 'AskRetirement', country: 'both', needsNote: false },
    title: 'Retire an operator',
    fields: html`<div class="field">
      <label for="retired">Operator</label>
      <select id="retired" name="operatorId" required>
        ${[...active.values()].map(
          ({ operatorId, name }) =>
            html`<option value="${operatorId}">${name} (${operatorId})</option>`,
        )}
      </select>
    </div>`,
    button: 'Ask to retire',
  })
}
