import { request as open } from 'node:http'
import { text } from 'node:stream/consumers'
import { authOfFile } from '../start.harness'

const { auth } = authOfFile()

/** Sends a request with a given Host header, which fetch does not allow. */
function visit(path: string, host = 'auth.example') {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      const request = open(`${auth.url}${path}`, { headers: { host } }, (answer) => {
        const { statusCode: status = 0, headers } = answer
        text(answer).then((body) => {
          resolve({ status, headers, body })
        }, reject)
      })
      request.on('error', reject)
      request.end()
    },
  )
}

test.each(['/hub', '/hub/checkouts', '/hub/security/audit-log'])(
  'answers %s with the one page of the hub, which may not be stored or framed',
  async (path) => {
    const { status, headers, body } = await visit(path)
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(body).toContain('<div id="hub"></div>')
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    })
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none';script-src 'self';style-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toMatch(/unsafe|\*/)
  },
)

test('serves assets with unlimited caching, under the names that the page uses', async () => {
  const { body } = await visit('/hub')
  const assets = [...body.matchAll(/(?:src|href)="(\/hub\/assets\/[^"]+)"/g)].map(
    (match) => match[1] ?? '',
  )
  expect(assets).toHaveLength(2)
  for (const asset of assets) {
    const { status, headers } = await visit(asset)
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable'])
  }
  expect((await visit('/hub/assets/gone.js')).status).toBe(404)
  expect((await visit('/hub/assets/..%2findex.html')).status).toBe(404)
})

test('answers a request for the script of another release with a script that reloads the page', async () => {
  const { status, headers, body } = await visit('/hub/assets/index-Ab3_x-9Z.js')
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'text/javascript; charset=utf-8',
    'no-store',
  ])
  expect(body).toContain('location.reload()')
})

test('redirects a request by another host name to the configured one', async () => {
  const { status, headers } = await visit('/hub/wallet', 'localhost:4000')
  expect([status, headers['location']]).toEqual([302, 'https://auth.example/hub/wallet'])
  expect((await visit('/hub/')).headers['location']).toBe('https://auth.example/hub')
})

test('redirects from the root to the hub', async () => {
  const { status, headers } = await visit('/')
  expect([status, headers['location']]).toEqual([302, 'https://auth.example/hub'])
})
