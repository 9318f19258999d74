import { openVirtualClock } from './virtual-clock'

/** A frozen real clock: only jumps pass time. */
const still = { now: () => 1_000_000 }

test('runs due timers of a jump in order, each at its own instant', () => {
  const clock = openVirtualClock(still)
  const ran: [string, number][] = []
  const note = (name: string) => () => ran.push([name, clock.now() - 1_000_000])
  clock.after(300, note('late'))
  clock.after(100, note('early'))
  clock.after(100, note('second'))
  clock.after(301, note('not yet'))
  clock.change({ jumpMs: 300 })
  expect(ran).toEqual([
    ['early', 100],
    ['second', 100],
    ['late', 300],
  ])
  clock.stop()
})

test('runs timers that start and fall due within one jump', () => {
  const clock = openVirtualClock(still)
  const ran: number[] = []
  clock.after(100, () => clock.after(100, () => ran.push(clock.now() - 1_000_000)))
  clock.change({ jumpMs: 500 })
  expect(ran).toEqual([200])
  clock.stop()
})

test('does not run a cancelled timer', () => {
  const clock = openVirtualClock(still)
  const run = jest.fn()
  clock.after(100, run).cancel()
  clock.change({ jumpMs: 100 })
  expect(run).not.toHaveBeenCalled()
  clock.stop()
})

test('reports when the next timer is due', () => {
  const clock = openVirtualClock(still)
  expect(clock.read()).toMatchObject({ nextInMs: null, waiting: 0 })
  clock.after(58_000, () => undefined)
  expect(clock.read()).toMatchObject({ nextInMs: 58_000, waiting: 1 })
  clock.stop()
})

test('runs a due timer by itself when the real time has come', async () => {
  const clock = openVirtualClock({ now: () => performance.now() })
  const startedAtMs = clock.now()
  const ranAtMs = await new Promise<number>((resolve) => {
    clock.after(20, () => {
      resolve(clock.now())
    })
  })
  expect(ranAtMs - startedAtMs).toBeGreaterThanOrEqual(20)
  clock.stop()
})

test('passes ten seconds in ten milliseconds at a thousand times the speed', async () => {
  const clock = openVirtualClock({ now: () => performance.now() })
  clock.change({ speed: 1_000 })
  await new Promise<void>((resolve) => clock.after(10_000, resolve))
  clock.stop()
})

test('never runs again after it is stopped', async () => {
  const clock = openVirtualClock({ now: () => performance.now() })
  const run = jest.fn()
  clock.stop()
  clock.after(0, run)
  const other = openVirtualClock({ now: () => performance.now() })
  await new Promise<void>((resolve) => other.after(20, resolve))
  other.stop()
  expect(run).not.toHaveBeenCalled()
})
