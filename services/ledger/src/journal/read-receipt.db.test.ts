import { ledgerOfFile } from '../ledger.harness'
import { operators } from '../operators/operators.harness'

const at = ledgerOfFile()

beforeAll(async () => {
  await operators(at).enroll()
})

test('returns the postings, placements, refunds and actions of a receipt', async () => {
  const { subject, intentId, checkoutId, accountId } = await operators(at).paid()
  await operators(at).requestedRefund(subject)
  expect(await at.ledger.readReceipt({ subject })).toMatchObject({
    subject,
    holder: `wallet:${accountId}`,
    amount: { minor: 50_000n, currency: 'KES' },
    transfers: [{ debit: 'float:mpesa', credit: `wallet:${accountId}`, minor: 50_000n }],
    intents: [{ intentId, checkoutId, status: 'completed', disposition: 'merchant' }],
    refunds: [{ status: 'asked', askedBy: 'amina' }],
    actions: [{ did: 'refund_asked', operator: 'amina' }],
  })
})

test('a receipt that was never posted is refused', async () => {
  await expect(at.ledger.readReceipt({ subject: 'mpesa:NEVER00001' })).rejects.toMatchObject({
    reason: 'invalid_request',
  })
})
