import { patience } from '@malipo/testing/patience'
import { isGood } from './drill'
import { playDrill } from './play-drill'

test('row 97: a restored database takes payments by every rail again, and has every payment of the statement of M-PESA', async () => {
  const result = await playDrill({
    rounds: { before: 1, archived: 1, lost: 1 },
    paceMs: 0,
    isLogArchivedInTime: false,
    environment: patience,
    onProgress: () => undefined,
  })
  const found = { lostByRestore: 1, foundAgain: 1, unknown: [] }
  // A payment of a provider without a statement is reported as unknown, never as posted.
  const unknown = { lostByRestore: 1, foundAgain: 0 }
  expect(result).toMatchObject({
    wrong: [],
    rails: { mpesa: found, pay_bill: found, mtn_momo: unknown, airtel_money: unknown },
  })
  expect(isGood(result)).toBe(true)
})
