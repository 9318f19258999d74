import { inLine } from './line'

test('gives up after twenty seconds in line, also when the clock of the machine is set back meanwhile', async () => {
  let nowMs = 3_600_000
  let waitedMs = 0
  const outcome = await inLine(
    {
      now: () => nowMs,
      wait(milliseconds) {
        waitedMs += milliseconds
        if (waitedMs > 60_000) return Promise.reject(new Error('still in line'))
        // Each wait sets the clock back.
        nowMs -= 60_000
        return Promise.resolve()
      },
      takeTurn: () => Promise.resolve(0),
      countEvent: () => undefined,
    },
    () => Promise.resolve({ kind: 'throttled', providerCode: 'http 429' }),
  )
  expect(outcome).toEqual({ kind: 'refused', cause: 'busy', providerCode: 'http 429' })
  expect(waitedMs).toBeLessThanOrEqual(20_000)
})
