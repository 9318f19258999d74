import { ProviderMessageKind, Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { confirmed } from '../payments.harness'

const at = ledgerOfFile()
const { pay } = at

test('returns a stored message unchanged, and whether it was applied', async () => {
  const attempt = await pay.pending((await pay.checkout()).checkoutId)
  const body = Buffer.from([0x7b, 0x00, 0xff, 0x7d])
  const messageId = await pay.callback(attempt.callbackToken, { body })
  const message = {
    rail: Rail.MPESA,
    kind: ProviderMessageKind.CALLBACK,
    body,
    intentId: attempt.intentId,
    applied: false,
  }
  expect(await at.ledger.readProviderMessage({ messageId })).toEqual(message)
  await at.ledger.applyEvidence({
    messageId,
    fact: confirmed({ ...attempt, receipt: 'READBACK01' }),
  })
  expect(await at.ledger.readProviderMessage({ messageId })).toEqual({ ...message, applied: true })
})

test('refuses an unknown message', async () => {
  await expect(
    at.ledger.readProviderMessage({ messageId: `pm_${'0'.repeat(24)}` }),
  ).rejects.toMatchObject({ reason: 'invalid_request', facts: { field: 'message_id' } })
})
