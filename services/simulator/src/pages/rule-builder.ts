import { html, type Html } from '@malipo/web/html'
import { answers } from '../domain/phone'
import { effectsAt, moments, type Effect } from '../domain/rule'
import type { Rules } from '../domain/rules'
import { showRule } from '../http/show'

/** What a rule can do, and the one thing it must be told, if any. */
const effects: Readonly<
  Record<Effect['kind'], { readonly about: string; readonly asks?: string }>
> = {
  delay: { about: 'comes later', asks: 'ms' },
  drip: { about: 'comes a little at a time', asks: 'ms' },
  drop: { about: 'never comes' },
  reset: { about: 'ends in a reset connection' },
  malformed: { about: 'is cut off in the middle' },
  error: { about: 'is an error', asks: 'error' },
  limit: { about: 'is refused above so many a second', asks: 'per_second' },
  early: { about: 'waits for the callback' },
  lie: { about: 'lies', asks: 'code' },
  answer: { about: 'is answered', asks: 'answer' },
  pay_bill: { about: 'is paid from the menu too', asks: 'percent' },
  duplicate: { about: 'comes several times', asks: 'copies' },
  reorder: { about: 'lets the next one pass' },
  echo: { about: 'is told as Pay Bill too' },
  amount: { about: 'names another amount', asks: 'amount' },
  source: { about: 'comes from a stranger', asks: 'address' },
  fails: { about: 'fails' },
  wrong_secret: { about: 'carries a wrong secret' },
}

const momentWords: Readonly<Record<string, string>> = {
  token: 'the answer to a token call',
  push: 'the answer to a push',
  query: 'the answer to a status query',
  register: 'the answer to a registration',
  simulate: 'the answer to C2B simulate',
  pull: 'the answer to a statement',
  session: 'the answer to a card session',
  refund: 'the answer to a refund',
  prompt: 'the prompt on the phone',
  challenge: '3-D Secure',
  callback: 'the callback',
}

/** What the asked thing is called, and how it begins. */
const questions: Readonly<Record<string, readonly [string, string]>> = {
  ms: ['How long, in milliseconds', '5000'],
  per_second: ['So many a second', '5'],
  code: ['Which result code', '1032'],
  percent: ['So much of the amount, in percent', '100'],
  copies: ['How many times', '3'],
  amount: ['Which amount, in cents', '100'],
  address: ['From which address', '203.0.113.7'],
}

export function ruleBuilder(errorNames: readonly string[]): Html {
  return html`<form class="builder" data-builder>
    <label>
      When
      <select name="on">
        ${moments.map((moment) => html`<option value="${moment}">${momentWords[moment] ?? moment}</option>`)}
      </select>
    </label>
    <label>
      then it
      <select name="kind">
        ${Object.entries(effects).map(
          ([kind, { about, asks }]) =>
            html`<option value="${kind}" data-asks="${asks ?? ''}" data-at="${momentsOf(kind)}">
              ${about}
            </option>`,
        )}
      </select>
    </label>
    ${Object.entries(questions).map(([name, [label, first]]) => asked(name, label, html`<input name="${name}" value="${first}" />`))}
    ${asked('error', 'Which error', choice('error', errorNames))}
    ${asked('answer', 'How', choice('answer', answers))}
    <label>For phone <input name="msisdn" placeholder="any" inputmode="numeric" /></label>
    <label>For account <input name="account" placeholder="any" /></label>
    <label>So many times <input name="times" placeholder="always" inputmode="numeric" /></label>
    <label>Chance in percent <input name="chance" value="100" inputmode="numeric" /></label>
    <button type="submit" class="button quiet">Add rule</button>
  </form>`
}

function momentsOf(kind: string): string {
  return moments.filter((moment) => effectsAt[moment].some((other) => other === kind)).join(' ')
}

function asked(name: string, label: string, field: Html): Html {
  return html`<label data-question="${name}" hidden>${label} ${field}</label>`
}

function choice(name: string, options: readonly string[]): Html {
  return html`<select name="${name}">
    ${options.map((option) => html`<option>${option}</option>`)}
  </select>`
}

export function ruleList(rules: Rules): Html {
  return html`<ul class="rules" data-key="rules">
    ${rules.all().map((rule) => {
      const { id, on, when, effect, times, pack, applied, matched } = showRule(rule)
      const facts = Object.entries({ ...effect, ...when }).map(
        ([name, value]) => `${name} ${String(value)}`,
      )
      return html`<li>
        <span>
          <b>${id}</b> at ${momentWords[on] ?? on}:
          ${facts.join(', ')}${times !== null && `, ${String(times)} times`}${pack !== null && ` (${pack})`}
          <span class="note">applied ${applied} of ${matched}</span>
        </span>
        <button type="button" class="small" data-remove-rule="${id}" aria-label="Remove ${id}">
          Remove
        </button>
      </li>`
    })}
  </ul>`
}
