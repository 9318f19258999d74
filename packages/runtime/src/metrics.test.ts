import { serveHealth } from './health'
import { auditedAt } from './metrics'

let health: Awaited<ReturnType<typeof serveHealth>>

beforeAll(async () => {
  health = await serveHealth({ host: '127.0.0.1', port: 0, checks: {} })
})
afterAll(() => health.stop())

test('exports no audit time from a process that has not audited', async () => {
  const read = async () => (await fetch(`http://127.0.0.1:${String(health.port)}/metrics`)).text()
  const sample = /^malipo_audited_timestamp_seconds /m
  expect(await read()).not.toMatch(sample)
  auditedAt.setToCurrentTime()
  expect(await read()).toMatch(sample)
})
