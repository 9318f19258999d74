import { html, type Html } from '@malipo/web/html'
import { answers } from '../phones/rules/phone'
import { effectsAt, moments, type Rule } from '../faults/rules/rule'
import { detailOf, effectWords, momentWords, ruleSentence } from '../faults/rules/rule-texts'
import type { Rules } from '../faults/rules/rules'
import { showRule } from '../control-api/show'

/** The label and the initial value of each setting of an effect that is typed in, not chosen from a list. */
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
        ${moments.map((moment) => html`<option value="${moment}">${momentWords[moment]}</option>`)}
      </select>
    </label>
    <label>
      then it
      <select name="kind">
        ${Object.entries(effectWords).map(
          ([kind, { about, asks }]) =>
            html`<option value="${kind}" data-asks="${asks ?? ''}" data-at="${momentsOf(kind)}">
              ${about}
            </option>`,
        )}
      </select>
    </label>
    ${Object.entries(questions).map(([name, [label, first]]) => labelled(name, label, html`<input name="${name}" value="${first}" />`))}
    ${labelled('error', 'Which error', choice('error', errorNames))}
    ${labelled('answer', 'How', choice('answer', answers))}
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

function labelled(name: string, label: string, field: Html): Html {
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
      const { id, pack, applied, matched } = showRule(rule)
      return html`<li>
        <span>
          <b>${id}</b> ${wordsOf(rule)}.
          <span class="note">
            ${pack !== null && `Of the story ${pack}. `}
            ${matched === 0 ? 'Nothing has met it yet.' : `Stepped in ${String(applied)} of ${String(matched)} times.`}
          </span>
        </span>
        <button type="button" class="small" data-remove-rule="${id}" aria-label="Remove ${id}">
          Remove
        </button>
      </li>`
    })}
  </ul>`
}

/** The English words of a rule's settings and conditions; undefined for what the effect's own sentence names. */
const factWords: Readonly<Record<string, (value: string) => string | undefined>> = {
  kind: () => undefined,
  answer: () => undefined,
  error: () => undefined,
  code: () => undefined,
  percent: () => undefined,
  ms: (value) => `by ${value} ms`,
  after_ms: (value) => `after ${value} ms`,
  every_ms: (value) => `${value} ms apart`,
  copies: (value) => `${value} copies`,
  per_second: (value) => `more than ${value} a second`,
  performed: (value) => (value === 'true' ? undefined : 'and is not carried out'),
  msisdn: (value) => `for phone ${value}`,
  account: (value) => `for account ${value}`,
  business: (value) => `for business ${value}`,
}

/** `the prompt on the phone is answered (approve), after 2000 ms, for phone 254712345678, 1 time at most`. */
function wordsOf(rule: Rule): string {
  const { on, when, effect, times, skip, probability } = showRule(rule)
  const facts = Object.entries({ ...effect, ...when }).map(([name, value]) => {
    const describe = factWords[name] ?? ((text: string) => `${name} ${text}`)
    return describe(String(value))
  })
  const limits = [
    skip > 0 && `after the first ${String(skip)}`,
    times !== null && `${String(times)} ${times === 1 ? 'time' : 'times'} at most`,
    probability < 1 && `by a chance of ${String(Math.round(probability * 100))} %`,
  ]
  const sentence = ruleSentence({ on, effect: rule.effect.kind, detail: detailOf(rule.effect) })
  return [sentence, ...facts, ...limits].filter(isShown).join(', ')
}

function isShown(words: string | false | undefined): words is string {
  return typeof words === 'string'
}
