import { serveHealth } from './health'
import { auditedAt, expectEvents, metrics } from './metrics'

let health: Awaited<ReturnType<typeof serveHealth>>

beforeAll(async () => {
  health = await serveHealth({ host: '127.0.0.1', port: 0, checks: {} })
})
afterEach(() => {
  jest.useRealTimers()
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

test('exports how many seconds a readiness check took', async () => {
  const busy = () => {
    const until = performance.now() + 20
    while (performance.now() < until);
    return Promise.resolve()
  }
  const checked = await serveHealth({ host: '127.0.0.1', port: 0, checks: { database: busy } })
  const text = await (await fetch(`http://127.0.0.1:${String(checked.port)}/metrics`)).text()
  expect(text).toMatch(/^malipo_check_seconds\{check="database"\} 0\.\d+$/m)
  await checked.stop()
})

test('exports the time of the process at each request', async () => {
  jest.useFakeTimers({ now: 1_800_000_000_000, doNotFake: ['setImmediate', 'nextTick'] })
  expect(await metrics.metrics()).toContain('malipo_clock_seconds 1800000000\n')
  jest.setSystemTime(1_800_000_001_500)
  expect(await metrics.metrics()).toContain('malipo_clock_seconds 1800000001.5\n')
})

test('exports an expected event as 0 before it has occurred', async () => {
  expectEvents(['contradiction'])
  expect(await metrics.metrics()).toContain('malipo_events_total{name="contradiction"} 0\n')
})
