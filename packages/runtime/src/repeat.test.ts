import { openLog } from './log'
import { repeat } from './repeat'

const options = { what: 'do it', everyMs: 1_000, log: openLog('test', 'silent') }

/** Plays a job whose rounds end when the test says so. */
function openRounds() {
  const ends: ((error?: Error) => void)[] = []
  let begun = 0
  return {
    count: () => begun,
    work: () => {
      begun += 1
      return new Promise<void>((resolve, reject) => {
        ends.push((error) => {
          if (error) reject(error)
          else resolve()
        })
      })
    },
    end: (error?: Error) => {
      ends.shift()?.(error)
    },
  }
}

beforeEach(() => {
  jest.useFakeTimers()
})

afterEach(() => {
  jest.useRealTimers()
})

test('runs the first round after a second, and then one each second until it is stopped', async () => {
  let rounds = 0
  const repeating = repeat(options, () => Promise.resolve((rounds += 1)))
  expect(rounds).toBe(0)
  await jest.advanceTimersByTimeAsync(3_500)
  expect(rounds).toBe(3)
  await repeating.stop()
  await jest.advanceTimersByTimeAsync(3_500)
  expect(rounds).toBe(3)
})

test('begins no round while one is running', async () => {
  const { count, work, end } = openRounds()
  const repeating = repeat(options, work)
  await jest.advanceTimersByTimeAsync(3_500)
  expect(count()).toBe(1)
  end()
  await jest.advanceTimersByTimeAsync(1_000)
  expect(count()).toBe(2)
  end()
  await repeating.stop()
})

test('continues after a failed round', async () => {
  const { count, work, end } = openRounds()
  const repeating = repeat(options, work)
  await jest.advanceTimersByTimeAsync(1_000)
  end(new Error('away'))
  await jest.advanceTimersByTimeAsync(1_000)
  expect(count()).toBe(2)
  end()
  await repeating.stop()
})

test('waits for the running round when it is stopped', async () => {
  const { work, end } = openRounds()
  const repeating = repeat(options, work)
  await jest.advanceTimersByTimeAsync(1_000)
  let isStopped = false
  const stopping = repeating.stop().then(() => (isStopped = true))
  await jest.advanceTimersByTimeAsync(5_000)
  expect(isStopped).toBe(false)
  end()
  await stopping
})
