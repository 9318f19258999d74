import { chooseTexts, countText, dictionaries } from './choose-texts'
import { english } from './english'
import { luganda } from './luganda'
import { swahili } from './swahili'
import type { Texts } from './texts'

type LanguageRequest = Parameters<typeof chooseTexts>[0]

const request = (url: string, headers: Record<string, string> = {}): LanguageRequest => ({
  url,
  headers,
})

describe('the language of a page', () => {
  const cookie = { cookie: 'theme=dark; lang=lg' }
  test.each<[string, LanguageRequest, Texts]>([
    ['is that of its address', request('/c/1?a=1&lang=sw', cookie), swahili],
    [
      'else the one chosen before',
      request('/c/1', { ...cookie, 'accept-language': 'sw' }),
      luganda,
    ],
    ['else what the browser asks for', request('/c/1', { 'accept-language': 'sw-KE' }), swahili],
    ['else English', request('/c/1', { 'accept-language': 'de' }), english],
    [
      'is none that we do not speak',
      request('/c/1?lang=constructor', { cookie: 'lang=xx' }),
      english,
    ],
  ])('%s', (_why, request, texts) => {
    expect(chooseTexts(request)).toBe(texts)
  })
})

test('shows a count with the plural form of its number', () => {
  const minutes = { one: '# minute', other: '# minutes' }
  expect([1, 2, 60].map((count) => countText(english, minutes, count))).toEqual([
    '1 minute',
    '2 minutes',
    '60 minutes',
  ])
})

/** Every sentence of a dictionary by its path, with marks in its placeholders. */
function sentencesOf(texts: Texts): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (place: string, value: unknown): void => {
    if (typeof value === 'string') found.set(place, value)
    else if (typeof value === 'function')
      visit(place, (value as (...marks: string[]) => unknown)('⟨1⟩', '⟨2⟩'))
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) visit(`${place}.${name}`, inner)
    }
  }
  visit(texts.lang, texts)
  return new Map([...found].map(([place, text]) => [place.slice(texts.lang.length + 1), text]))
}

describe.each(Object.values(dictionaries).filter((texts) => texts !== english))(
  '$name',
  (texts: Texts) => {
    const original = sentencesOf(english)
    const translated = sentencesOf(texts)

    test('has every sentence of the English one', () => {
      const beyond = new Set(['awaitsReview'])
      expect([...translated.keys()].filter((place) => !beyond.has(place))).toEqual([
        ...original.keys(),
      ])
    })

    test('every text is translated, except for names', () => {
      const same = [...original].filter(([place, text]) => translated.get(place) === text)
      const isName = (place: string) => /^rails\.(?!card)|^anyRail$|^countries\./.test(place)
      expect(same.map(([place]) => place).filter((place) => !isName(place))).toEqual([])
    })

    test('uses every placeholder', () => {
      const blanks = (text = '') => (text.match(/⟨\d⟩|#/g) ?? []).sort()
      const wrong = [...original].filter(
        ([place, text]) =>
          JSON.stringify(blanks(text)) !== JSON.stringify(blanks(translated.get(place))),
      )
      expect(wrong.map(([place]) => place)).toEqual([])
    })
  },
)

test.each(Object.values(dictionaries))(
  'the same amount within two minutes is not shown as another open request, in $name',
  ({ failed: { causes } }) => {
    const [tooSoon, open] = [causes.too_soon('M-PESA'), causes.session_open('M-PESA')]
    expect(tooSoon.filter((sentence) => open.includes(sentence))).toEqual([])
    expect(tooSoon[1]).toMatch(/two minutes|dakika mbili|ddakiika bbiri/)
  },
)

test('a dictionary has a remark unless a native speaker has reviewed it', () => {
  const remarked = Object.values(dictionaries).filter(({ awaitsReview }) => awaitsReview)
  expect(remarked).toEqual([luganda])
})
