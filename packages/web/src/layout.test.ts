import { html } from './html'
import { layout } from './layout'

const page = {
  lang: 'en',
  title: 'Pay <Duka>',
  nonce: 'n0nce',
  styles: 'p > a { color: red }',
  body: html`<p>Hi</p>`,
}

test('sets the nonce on the styles and the script, and escapes the title', () => {
  const text = layout({ ...page, script: 'go()' })
  expect(text).toMatch(/<style nonce="n0nce">\s*p > a { color: red }\s*<\/style>/)
  expect(text).toMatch(/<script type="module" nonce="n0nce">\s*go\(\)\s*<\/script>/)
  expect(text).toContain('<title>Pay &lt;Duka&gt;</title>')
})

test('renders no script element for a page without a script', () => {
  expect(layout(page)).not.toContain('<script')
})
