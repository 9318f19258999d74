import { ofTest } from '@malipo/testing/lazily'
import { amina, startSimulator } from '../start.harness'

const sim = ofTest(() => startSimulator())

test('shows the virtual and the real time, and when the next prompt ends', async () => {
  await sim.push()
  await sim.control('POST', '/clock', { jump_ms: 2_000 })
  expect((await sim.control('GET', '/clock')).body).toEqual({
    now: '2026-11-20T11:25:03.373Z',
    real: '2026-11-20T11:25:01.373Z',
    paused: false,
    speed: 1,
    next_in_ms: 58_000,
    next: `the prompt on ${amina} rings out`,
    waiting: 1,
  })
})

test('pauses, continues, and changes its speed', async () => {
  expect((await sim.control('POST', '/clock', { paused: true })).body.paused).toBe(true)
  const { body } = await sim.control('POST', '/clock', { paused: false, speed: 10 })
  expect(body).toMatchObject({ paused: false, speed: 10 })
})

test.each([{ speed: 0 }, { jump_ms: -1 }, { jump_ms: 86_400_001 }, { now: 'later' }])(
  '%o is refused',
  async (change) => {
    expect((await sim.control('POST', '/clock', change)).status).toBe(400)
  },
)
