import { isGood } from './fail-over'
import { playFailOver } from './play-fail-over'

// A short run of what `npm run fail-over` does with any number of payments.
test('payments go on within 30 s after the disk of the databases is lost, and none that was acknowledged is missing', async () => {
  const result = await playFailOver({
    paymentsPerSecond: 5,
    secondsEach: 4,
    onProgress: () => undefined,
  })
  expect(result.wrong).toEqual([])
  expect(result.paid).toBe(40)
  expect(isGood(result)).toBe(true)
})
