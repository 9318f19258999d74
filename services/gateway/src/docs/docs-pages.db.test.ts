import { ofFile } from '@malipo/testing/lazily'
import { openDocs } from '@malipo/docs/docs'
import { countries } from '@malipo/kernel/countries'
import { errors } from '@malipo/kernel/errors'
import { ratePolicies } from '../limits/rate-policies'
import { startHost } from '../start.harness'

const host = ofFile(() => startHost({ mobileRails: countries.ke.mobileRails }))

const { pages } = openDocs({
  rules: countries.ke,
  baseUrl: 'https://pay.example',
  authUrl: 'https://auth.example',
})
const pathOf = (slug: string) => (slug === 'home' ? '/docs' : `/docs/${slug}`)

test('serves the OpenAPI document of this host to pages of any origin', async () => {
  const { body, headers } = await host.ask('/docs/openapi.json')
  expect(body).toMatchObject({
    openapi: expect.stringMatching(/^3\.1/),
    servers: [{ url: host.baseUrl }],
  })
  expect(headers).toMatchObject({ 'access-control-allow-origin': '*' })
  expect((await host.ask('/docs')).text).toContain('href="/docs/openapi.json"')
})

test('serves every page as HTML without a script, and as Markdown', async () => {
  for (const { slug, markdown } of pages) {
    const page = await host.ask(pathOf(slug))
    expect([slug, page.status, page.headers['content-type']]).toEqual([
      slug,
      200,
      'text/html; charset=utf-8',
    ])
    expect(page.text).not.toContain('<script')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    const source = await host.ask(`/docs/${slug}.md`)
    expect([source.headers['content-type'], source.text]).toEqual([
      'text/markdown; charset=utf-8',
      markdown,
    ])
  }
})

test('has a page for each code, with what to do', async () => {
  for (const { code, description } of Object.values(errors)) {
    const { text } = await host.ask(`/docs/errors/${String(code)}`)
    expect(text).toContain(`<h1>${String(code)}: ${description}</h1>`)
    expect(text).toContain('What to do')
  }
})

test('redirects from / and /docs/ to the documentation, and returns 404 for unknown pages', async () => {
  for (const path of ['/', '/docs/']) {
    const { status, headers } = await host.ask(path)
    expect([status, headers['location']]).toEqual([302, '/docs'])
  }
  for (const path of ['/docs/nothing', '/docs/nothing.md', '/docs/errors/9999']) {
    const { status, text } = await host.ask(path)
    expect([path, status, text.includes('There is no such page')]).toEqual([path, 404, true])
  }
})

test('searches without a script, and escapes the query', async () => {
  const { text } = await host.ask('/docs/search?q=2784')
  expect(text).toContain('href="/docs/errors/2784"')
  expect((await host.ask('/docs/search?q=prefer+wait')).text).toContain('href="/docs/waiting"')
  const odd = await host.ask(`/docs/search?q=${encodeURIComponent('"><script>alert(1)')}`)
  expect(odd.text).toContain('&quot;&gt;&lt;script&gt;')
  expect((await host.ask('/docs/search')).status).toBe(200)
  expect((await host.ask(`/docs/search?q=${'x'.repeat(5_000)}`)).status).toBe(200)
})

test('lists every page in llms.txt', async () => {
  const { text, headers } = await host.ask('/docs/llms.txt')
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  const listed = pages.filter(({ slug }) => slug !== 'home' && !slug.startsWith('errors/'))
  for (const { slug, title } of listed) {
    expect(text).toContain(`[${title}](${host.baseUrl}/docs/${slug}.md)`)
  }
})

test('names the same limits as the host applies', async () => {
  const { text } = await host.ask('/docs/limits.md')
  const { merchant, read, resolve, pay, card } = ratePolicies
  const [, rates = ''] = text.split('## Rates')
  expect(rates).toContain(`together | ${String(merchant.limit)} a minute for an account`)
  expect(rates).toContain(`checkout | ${String(read.limit)} a minute for an address`)
  expect(rates).toContain(`handle | ${String(resolve.limit)} a minute for an address`)
  expect(rates).toContain('profile | 120 a minute for an address')
  expect(rates).toContain(`${String(pay.limit)} for an address`)
  expect(rates).toContain(`${String(card.limit)} for an address`)
})
