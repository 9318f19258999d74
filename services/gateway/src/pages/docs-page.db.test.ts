import { errors } from '@malipo/kernel/errors'
import { type RunningHost, startHost } from '../start.harness'

let host: RunningHost

beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.stop())

test('the documentation names the routes of this very host and every code', async () => {
  const { status, text } = await host.ask('/docs')
  expect(status).toBe(200)
  expect(text).toContain('/v1/payments/merchant/checkouts')
  expect(text).toContain('cs_ke_')
  for (const { code } of Object.values(errors)) expect(text).toContain(`<td>${String(code)}</td>`)
})
