import { IntentStatus, Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'

const at = ledgerOfFile()
const { pay } = at

test('reads an attempt without money until it is settled', async () => {
  const { checkoutId } = await pay.checkout()
  const attempt = await pay.pending(checkoutId)
  const { intentId } = attempt
  const amount = { currency: 'KES', minor: 50_000n }
  expect(await at.ledger.readIntent({ intentId })).toEqual({
    intent: { intentId, status: IntentStatus.PENDING, amount, rail: Rail.MPESA },
  })
  await pay.paid(attempt)
  expect(await at.ledger.readIntent({ intentId })).toEqual({
    intent: {
      intentId,
      status: IntentStatus.COMPLETED,
      amount,
      amountSettledMinor: 50_000n,
      rail: Rail.MPESA,
    },
  })
})

test.each([`pi_${'0'.repeat(24)}`, 'nonsense', ''])(
  'refuses the unknown id "%s"',
  async (intentId) => {
    await expect(at.ledger.readIntent({ intentId })).rejects.toMatchObject({
      reason: 'intent_not_found',
    })
  },
)
