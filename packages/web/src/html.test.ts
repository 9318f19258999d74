import { displayText, html, render, trusted } from './html'

test('escapes what enters a template, in text and in attributes', () => {
  const hostile = `"><script>alert('1')</script>&`
  const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;'
  expect(render(html`<b title="${hostile}">${hostile}</b>`)).toBe(
    `<b title="${escaped}">${escaped}</b>`,
  )
})

test('leaves markup, and lists of it, as it is', () => {
  const items = ['a', '<b>'].map((text) => html`<i>${text}</i>`)
  expect(render(html`<b>${items}</b>`)).toBe('<b><i>a</i><i>&lt;b&gt;</i></b>')
})

test('leaves nothing behind for what is absent', () => {
  const absent: string | undefined = undefined
  expect(render(html`<b>${absent}${false}${0}${7n}</b>`)).toBe('<b>07</b>')
})

test('takes our own files as markup', () => {
  expect(render(html`<b>${trusted('a > b {}')}</b>`)).toBe('<b>a > b {}</b>')
})

test('drops the characters that turn text around', () => {
  expect(displayText('Rent \u202e000,1 SEK\u2069 \u200fok')).toBe('Rent 000,1 SEK ok')
})
