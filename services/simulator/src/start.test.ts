import { startSimulator } from './start.harness'

test('serves health checks and metrics on a separate port', async () => {
  const sim = await startSimulator()
  await sim.push()
  for (const path of ['/livez', '/readyz']) {
    expect((await fetch(sim.adminUrl + path)).status).toBe(200)
  }
  const metrics = await (await fetch(`${sim.adminUrl}/metrics`)).text()
  expect(metrics).toContain('malipo_http_seconds_count{route="/mpesa/stkpush/v1/processrequest"')
  await sim.stop()
})

test('stops while a prompt rings, a stream is open and a client waits', async () => {
  const sim = await startSimulator()
  await sim.push()
  const stream = await fetch(`${sim.url}/sim/v1/events/stream`)
  const waiting = sim.control('GET', '/events?since=999&wait=30').catch(() => 'cut')
  await sim.stop()
  expect(await waiting).toBe('cut')
  await stream.body?.cancel().catch(() => undefined)
})

test('two starts without a seed have different seeds', async () => {
  const one = await startSimulator({ seed: undefined })
  const other = await startSimulator({ seed: undefined })
  const seedOf = async (sim: typeof one) => (await sim.control('GET', '/meta')).body.seed
  expect(await seedOf(one)).not.toBe(await seedOf(other))
  await one.stop()
  await other.stop()
})
