import { openOwnTurns, openPace } from './pace'

const openTurn = () => {
  const waits: number[] = []
  const clock = { nowMs: 0 }
  const turn = openPace(
    { name: 'status', everyMs: 100, waitMaxMs: 1_000 },
    {
      takeTurn: openOwnTurns(() => clock.nowMs),
      wait: (milliseconds) => {
        waits.push(milliseconds)
        return Promise.resolve()
      },
    },
  )
  return { turn, waits, clock }
}

test('lets a single call through without a wait', async () => {
  const { turn, waits } = openTurn()
  expect(await turn()).toBe(true)
  expect(waits).toEqual([])
})

test('spaces simultaneous calls by the interval', async () => {
  const { turn, waits } = openTurn()
  await Promise.all([turn(), turn(), turn()])
  expect(waits).toEqual([100, 200])
})

test('refuses a caller that would wait too long, and reserves no turn for it', async () => {
  const { turn, clock } = openTurn()
  const turns = await Promise.all(Array.from({ length: 13 }, () => turn()))
  expect(turns.filter((isTurn) => isTurn)).toHaveLength(11)
  clock.nowMs = 1_100
  expect(await turn()).toBe(true)
})

test('accumulates no unused turns while idle', async () => {
  const { turn, waits, clock } = openTurn()
  clock.nowMs = 60_000
  await Promise.all([turn(), turn()])
  expect(waits).toEqual([100])
})

test('lets a call through when the clock was set back behind the last turn', async () => {
  const { turn, waits, clock } = openTurn()
  clock.nowMs = 3_600_000
  await turn()
  clock.nowMs = 0
  expect([await turn(), await turn()]).toEqual([true, true])
  expect(waits).toEqual([100])
})
