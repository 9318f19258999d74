import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { likelyRail } from '@malipo/interface/mobile-rail'
import { countries, type CountryRules } from '@malipo/kernel/countries'
import fc from 'fast-check'
import { phoneChecks, phoneError, readPhone } from './read-phone'
import { english } from './texts/english'

const { ke, ug } = countries

/** The script without `export`, as the page inlines it. */
const script = readFileSync(join(__dirname, 'pay-form.client.mjs'), 'utf8').replaceAll(
  /^export /gm,
  '',
)
const { phoneFault, resendMs, wishOf } = runInNewContext(
  `${script}\n;({ phoneFault, resendMs, wishOf })`,
) as {
  readonly phoneFault: (form: object) => string | undefined
  readonly wishOf: (form: object, attempt: string) => string
  readonly resendMs: (answer: Pick<Response, 'headers'> | undefined) => number
}

/** What the page shows at once when its form has this text as the phone; undefined when it sends the form. */
const shownByPage = (typed: string, rules: CountryRules) =>
  phoneFault({
    elements: { phone: { value: typed }, moved: { checked: false } },
    dataset: { phones: phoneChecks(english, rules) },
    querySelector: () => ({}),
  })

/** What the server answers to the same form; undefined when it reads a phone. */
function answeredByServer(typed: string, rules: CountryRules) {
  const { phone, problem } = readPhone(new URLSearchParams({ phone: typed }), rules)
  return phone === undefined ? phoneError(problem, english, rules) : undefined
}

test.each(['0712345678x', 'x0712345678', '0712 345 678 é', '0712345678O', '+254 712 345 678 ext'])(
  'the page refuses %j at once, with the text for a wrong number: it has a letter',
  (typed) => {
    expect(shownByPage(typed, ke)).toBe(english.start.badPhone('0712 345 678'))
  },
)

test.each([
  '0712345678',
  ' 0712 345 678 ',
  '0712-345-678',
  '(0712) 345-678',
  '+254 712 345 678',
  '+254 (0) 712 345 678',
  '(+254) 712.345.678',
])('the page sends %j', (typed) => {
  expect(shownByPage(typed, ke)).toBeUndefined()
})

test('the page refuses what the server refuses, with the same text, and sends everything else', () => {
  const digits = fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), maxLength: 10 })
  const beginning = fc.constantFrom(
    '',
    '0',
    '00',
    '+',
    '(+',
    '254',
    '+254',
    '(+254)',
    '256',
    '+256 (0)',
  )
  const separators = ['', ' ', '-', '.', '(', ')', '+', '\u00A0']
  const letters = ['x', 'O', 'é', 'ß', 'ж', '電', '𝒳']
  const others = ['٣', '１', '\u0301', '²', '😀', '_']
  const between = fc.constantFrom(...separators, ...letters, ...others)
  const parts = fc.tuple(beginning, between, digits, between, digits, between)
  const mobiles = fc.tuple(beginning, fc.stringMatching(/^7\d{8}$/), between)
  const typedTexts = fc.oneof(
    parts.map((texts) => texts.join('')),
    mobiles.map((texts) => texts.join('')),
    fc.string({ unit: 'binary' }),
  )
  fc.assert(
    fc.property(typedTexts, fc.constantFrom(ke, ug), (typed, rules) => {
      expect(shownByPage(typed, rules)).toBe(answeredByServer(typed, rules))
    }),
    { numRuns: 2_000 },
  )
})

test('a press whose number decides the network has the wish of one that names that network, as the server decides', () => {
  const wish = (phone: string, rail: string) =>
    wishOf(
      {
        elements: { phone: { value: phone }, rail: { value: rail }, amount: { value: '500' } },
        dataset: { phones: phoneChecks(english, ug) },
      },
      'pi_1',
    )
  fc.assert(
    fc.property(fc.stringMatching(/^7\d{8}$/), (national) => {
      const likely = likelyRail(`256${national}`, ug)
      const [other = ''] = ug.mobileRails.filter((rail) => rail !== likely)
      expect(wish(`0${national}`, '')).toBe(wish(`256${national}`, likely))
      expect(wish(national, '')).not.toBe(wish(national, other))
    }),
  )
})

test.each([
  ['2 to 3 s', '2', 2_000, 3_000],
  ['20 to 30 s', '20', 20_000, 30_000],
  ['30 s', '3600', 30_000, 30_000],
  ['30 s', 'Infinity', 30_000, 30_000],
  ['2 s', '0', 2_000, 2_000],
  ['2 s', '-1', 2_000, 2_000],
  ['2 s', 'Sat, 28 Nov 2026 06:00:00 GMT', 2_000, 2_000],
])('waits %s before the next try when an answer has Retry-After: %s', (_, retryAfter, min, max) => {
  const waited = resendMs({ headers: new Headers({ 'retry-after': retryAfter }) })
  expect(waited).toBeGreaterThanOrEqual(min)
  expect(waited).toBeLessThanOrEqual(max)
})

test.each([
  ['an answer without Retry-After', { headers: new Headers() }],
  ['no answer', undefined],
])('waits 2 s before the next try after %s', (_, answer) => {
  expect(resendMs(answer)).toBe(2_000)
})
