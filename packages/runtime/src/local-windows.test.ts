import { openLocalWindows } from './local-windows'

const policy = { name: 'read', limit: 3, windowSeconds: 60 }

function stage() {
  const clock = { atMs: 1_000_000, now: () => clock.atMs }
  const count = openLocalWindows(clock)
  return { clock, ask: (subject = 'a', applied = policy) => count(applied, subject) }
}

test('admits as many as the policy allows, and reports how many are left', () => {
  const { ask } = stage()
  expect(
    [ask(), ask(), ask(), ask()].map(({ isAllowed, remaining }) => [isAllowed, remaining]),
  ).toEqual([
    [true, 2],
    [true, 1],
    [true, 0],
    [false, 0],
  ])
})

test('frees places one by one as the oldest requests leave the window', () => {
  const { clock, ask } = stage()
  ask()
  clock.atMs += 20_000
  ask()
  ask()
  clock.atMs += 39_999
  expect(ask()).toMatchObject({ isAllowed: false, remaining: 0, waitMs: 1 })
  clock.atMs += 1
  expect(ask()).toMatchObject({ isAllowed: true, remaining: 0, waitMs: 20_000 })
  expect(ask().isAllowed).toBe(false)
})

test('does not count requests of a time to come, from before the clock was set back', () => {
  const { clock, ask } = stage()
  for (let request = 0; request < 3; request += 1) ask()
  clock.atMs -= 3_600_000
  expect(ask()).toMatchObject({ isAllowed: true, remaining: 2, waitMs: 60_000 })
})

test('does not count refused requests', () => {
  const { clock, ask } = stage()
  for (let request = 0; request < 100; request += 1) ask()
  clock.atMs += 60_000
  expect(ask()).toMatchObject({ isAllowed: true, remaining: 2 })
})

test('counts subjects and policies separately', () => {
  const { ask } = stage()
  ask()
  expect(ask('b').remaining).toBe(2)
  expect(ask('a', { ...policy, name: 'pay' }).remaining).toBe(2)
})
