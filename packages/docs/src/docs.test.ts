import { countries, type MobileRail, railNames, rulesWithRails } from '@malipo/kernel/countries'
import { render } from '@malipo/web/html'
import { openDocs } from './docs'
import { anchorOf } from './page'
import { addressOf, docsPath, renderPage } from './render-markdown'
import { openSearch } from './search'

const hosts = { baseUrl: 'https://pay.example', authUrl: 'https://auth.example' }
const all = Object.values(countries).map((rules) => openDocs({ rules, ...hosts }))
const [kenya, uganda] = all

test('every link leads to a page, and to a heading of it', () => {
  for (const { pages } of all) {
    const bodies = new Map(pages.map((page) => [docsPath(page.slug), render(renderPage(page))]))
    const broken = [...bodies].flatMap(([path, body]) =>
      Array.from(body.matchAll(/href="([^"]+)"/g), ([, target = '']) => target)
        .filter((target) => !target.startsWith('http') && !isThere(bodies, path, target))
        .map((target) => `${path} links to ${target}`),
    )
    expect(broken).toEqual([])
  }
})

function isThere(bodies: ReadonlyMap<string, string>, from: string, target: string): boolean {
  if (['/docs/openapi.json', '/docs/postman.json', '/docs/llms.txt'].includes(target)) return true
  const [path = '', anchor] = target.split('#')
  const body = bodies.get(path === '' ? from : path)
  return body !== undefined && (anchor === undefined || body.includes(`id="${anchor}"`))
}

test('no page has two headings with the same name', () => {
  for (const { slug, markdown } of kenya?.pages ?? []) {
    const prose = markdown.replaceAll(/^```[^]*?^```/gm, '')
    const anchors = Array.from(prose.matchAll(/^#+ (.+)$/gm), ([, text = '']) => anchorOf(text))
    expect([slug, anchors]).toEqual([slug, [...new Set(anchors)]])
  }
})

test('pages show the currency and the phones of their host, and no page has an unfilled placeholder', () => {
  expect(kenya?.find('quickstart')?.markdown).toContain('"currency": "KES"')
  expect(uganda?.find('quickstart')?.markdown).toContain('256770555001')
  for (const { pages } of all) {
    for (const { slug, markdown } of pages)
      expect([slug, markdown]).toEqual([slug, expect.not.stringContaining('{{')])
  }
})

test.each(Object.values(countries))(
  'the page on Uganda names each mobile network of $country in its column, with its rail and the life of its prompt',
  ({ country, mobileRails }) => {
    for (const docs of all) {
      const rows = docs.find('uganda')?.markdown.match(/^\|.*\|$/gm) ?? []
      const cell = (name: string) => {
        const [, , kenyan, ugandan] = rows.find((row) => row.includes(name))?.split('|') ?? []
        return country === 'ke' ? kenyan : ugandan
      }
      const named = (row: string, shown: (rail: MobileRail) => string) =>
        mobileRails.filter((rail) => cell(row)?.includes(shown(rail)))
      expect(named('Mobile money', (rail) => railNames[rail])).toEqual(mobileRails)
      expect(named('`rail`', (rail) => `\`${rail}\``)).toEqual(mobileRails)
      expect(named('A prompt is open for', (rail) => `(${railNames[rail]})`)).toEqual(mobileRails)
    }
  },
)

test('the page on Uganda names no network that its host has switched off', () => {
  const rules = rulesWithRails(countries.ke, ['mpesa']) ?? countries.ke
  const page = openDocs({ rules, ...hosts }).find('uganda')?.markdown
  expect(page).toContain('| Mobile money | M-PESA | MTN MoMo, Airtel Money |')
})

test('escapes what stands in code, and runs no markup of a page', () => {
  const body = render(
    renderPage({
      slug: 'x',
      title: 'X',
      summary: '',
      markdown: '# X\n\n<b onclick="a">\n\n```\n<i>\n```\n',
    }),
  )
  expect(body).toContain('&lt;b onclick=')
  expect(body).toContain('<code>&lt;i&gt;\n</code>')
})

test.each([
  ['quickstart', 'testing.md#cards', '/docs/testing#cards'],
  ['errors/2784', '../errors.md', '/docs/errors'],
  ['testing', 'home.md', '/docs'],
  ['testing', 'https://example.com/a.md', 'https://example.com/a.md'],
  ['testing', '/docs/openapi.json', '/docs/openapi.json'],
])('on the page %s, a link to %s has the address %s', (slug, target, address) => {
  expect(addressOf(slug, target)).toBe(address)
})

test('search wants every word, and puts headings first', () => {
  const search = openSearch(kenya?.pages ?? [])
  expect(search('cents Kenya')[0]).toMatchObject({ slug: 'limits', anchor: 'cents-in-kenya' })
  expect(search('2784')[0]).toMatchObject({ slug: 'errors/2784' })
  expect(search('mangoes unicorns')).toEqual([])
  expect(search('…')).toEqual([])
})
