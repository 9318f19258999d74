import { errors } from '@malipo/kernel/errors'
import { type RunningHost, startHost } from '../start.harness'

let host: RunningHost

beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.stop())

test('what tools read is there, for any page', async () => {
  const { body, headers } = await host.ask('/docs/openapi.json')
  expect(body).toMatchObject({
    openapi: expect.stringMatching(/^3\.1/),
    servers: [{ url: host.baseUrl }],
  })
  expect(headers).toMatchObject({ 'access-control-allow-origin': '*' })
  expect((await host.ask('/docs')).text).toContain('href="/docs/openapi.json"')
})

test('the documentation names the routes of this very host and every code', async () => {
  const { status, text } = await host.ask('/docs')
  expect(status).toBe(200)
  expect(text).toContain('/v1/payments/merchant/checkouts')
  expect(text).toContain('cs_ke_')
  for (const { code } of Object.values(errors)) expect(text).toContain(`<td>${String(code)}</td>`)
})
