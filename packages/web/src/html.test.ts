import { displayText, html, render, trusted } from './html'

test('escapes values in text and in attributes', () => {
  const hostile = `"><script>alert('1')</script>&`
  const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;'
  expect(render(html`<b title="${hostile}">${hostile}</b>`)).toBe(
    `<b title="${escaped}">${escaped}</b>`,
  )
})

test('does not escape markup, nor lists of it', () => {
  const items = ['a', '<b>'].map((text) => html`<i>${text}</i>`)
  expect(render(html`<b>${items}</b>`)).toBe('<b><i>a</i><i>&lt;b&gt;</i></b>')
})

test('renders nothing for absent values', () => {
  const absent: string | undefined = undefined
  expect(render(html`<b>${absent}${false}${0}${7n}</b>`)).toBe('<b>07</b>')
})

test('accepts our own files as markup', () => {
  expect(render(html`<b>${trusted('a > b {}')}</b>`)).toBe('<b>a > b {}</b>')
})

test('drops characters that reverse the text direction', () => {
  expect(displayText('Rent \u202e000,1 SEK\u2069 \u200fok')).toBe('Rent 000,1 SEK ok')
})

test('isolates right-to-left text, so that an amount beside it keeps its place', () => {
  expect(displayText('\u0645\u062a\u062c\u0631 500')).toBe(
    '\u2068\u0645\u062a\u062c\u0631 500\u2069',
  )
})

test('drops invisible characters and piled-up marks, and keeps letters, marks and emoji that belong together', () => {
  expect(displayText('Ma\u200bma\ufeff Nje\u00adri')).toBe('Mama Njeri')
  expect(displayText(`Z${'\u0301'.repeat(60)}algo`)).toBe(`Z${'\u0301'.repeat(4)}algo`)
  for (const kept of [
    'Ng\u02bcombe \u00c9t\u00e9',
    'Duka \u{1f469}\u{1f3fe}\u200d\u{1f33e}',
    '\u0915\u094d\u200d\u0937',
  ]) {
    expect(displayText(kept)).toBe(kept)
  }
})

test.each(['', ' \u00a0', '\u200b\u3164', '\u200d\u2060'])(
  'makes a text without a visible character empty: %j',
  (text) => {
    expect(displayText(text)).toBe('')
  },
)
