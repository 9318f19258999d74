import { serveHealth } from './health'
import { auditedAt, expectEvents, metrics } from './metrics'

let health: Awaited<ReturnType<typeof serveHealth>>

beforeAll(async () => {
  health = await serveHealth({ host: '127.0.0.1', port: 0, checks: {} })
})
afterAll(() => health.stop())

test('does not export an audit time from a process that has not audited', async () => {
  const read = async () => (await fetch(`http://127.0.0.1:${String(health.port)}/metrics`)).text()
  const sample = /^malipo_audited_timestamp_seconds /m
  expect(await read()).not.toMatch(sample)
  auditedAt.setToCurrentTime()
  expect(await read()).toMatch(sample)
})

test('exports which readiness check currently fails', async () => {
  let isAway = true
  const checks = {
    database: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve()),
  }
  const checked = await serveHealth({ host: '127.0.0.1', port: 0, checks })
  const read = async () => (await fetch(`http://127.0.0.1:${String(checked.port)}/metrics`)).text()
  expect(await read()).toContain('malipo_check_failing{check="database"} 1\n')
  isAway = false
  expect(await read()).toContain('malipo_check_failing{check="database"} 0\n')
  await checked.stop()
})

test('exports an expected event as 0 before it has occurred', async () => {
  expectEvents(['contradiction'])
  expect(await metrics.metrics()).toContain('malipo_events_total{name="contradiction"} 0\n')
})
