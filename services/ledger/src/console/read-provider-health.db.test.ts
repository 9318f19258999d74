import { ledgerOfFile } from '../ledger.harness'
import { enrolledOperators } from '../operators/operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

test('counts how the attempts of each rail ended, and how long the provider took', async () => {
  await by.paid()
  const { checkoutId } = await at.pay.checkout()
  await at.pay.declined(await at.pay.pending(checkoutId))
  const { rails } = await at.ledger.readProviderHealth({ minutes: 60 })
  expect(rails.map(({ rail }) => rail)).toEqual(['RAIL_MPESA', 'RAIL_CARD', 'RAIL_PAYBILL'])
  expect(rails[0]).toMatchObject({ begun: 2, completed: 1, failed: 1, expired: 0, refused: 0 })
  expect(rails[0]?.causes).toHaveLength(1)
  expect(rails[0]?.callP95Ms).toBeGreaterThanOrEqual(rails[0]?.callP50Ms ?? 0)
  expect(rails[0]?.lastMessageAt).toBeDefined()
  expect(rails[1]).toMatchObject({ begun: 0, callP50Ms: undefined, lastMessageAt: undefined })
})

test('refuses a time that is longer than a day', async () => {
  await expect(at.ledger.readProviderHealth({ minutes: 1_441 })).rejects.toMatchObject({
    facts: { field: 'minutes' },
  })
})
