import {
  FailureCause,
  IntentStatus,
  ProviderMessageKind,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { confirmed, present } from '../payments.harness'
import { past } from '../time.harness'
import { enrolledOperators } from '../operators/operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

const ok = (providerRequestId = 'AG_1', receipt = 'REVERSAL01') =>
  confirmed({ providerRequestId, receipt, amountMinor: 50_000n })
const no = (providerRequestId: string | undefined) =>
  ({
    $case: 'declined',
    value: { cause: FailureCause.REFUSED, providerCode: '2001', providerRequestId },
  }) as const
const status = async (subject: string) => (await by.story(subject)).refunds[0]?.status

test('row 15: the refund of a duplicate payment is taken from suspense once, and its attempt is reversed', async () => {
  const { subject, intentId } = await by.mismatch(50_001n)
  const { callbackToken } = await by.sent(subject)
  const fact = confirmed({ providerRequestId: 'AG_1', receipt: 'REVERSAL01', amountMinor: 50_001n })
  expect((await by.messageArrives(callbackToken, fact)).result).toBe('EVIDENCE_RESULT_SETTLED')
  expect(
    (await by.messageArrives(callbackToken, fact, { body: Buffer.from('again') })).result,
  ).toBe('EVIDENCE_RESULT_KEPT')
  expect(await status(subject)).toBe('paid')
  expect(await by.holder(subject)).toBeUndefined()
  expect(await at.pay.status(intentId)).toBe(IntentStatus.REVERSED)
  expect(await by.balance('suspense:mismatch')).toBe('0')
  expect(await by.balance('float:mpesa')).toBe('0')
})

test('row 30: the refund of a completed payment is taken from the wallet and reverses the payment', async () => {
  const { subject, accountId, intentId } = await by.paid()
  const { callbackToken } = await by.sent(subject)
  await by.messageArrives(callbackToken, ok())
  expect(await at.pay.status(intentId)).toBe(IntentStatus.REVERSED)
  expect(await by.balance(`wallet:${accountId}`)).toBe('0')
})

test('a refund that the provider refuses fails, its money stays, and it can be requested again', async () => {
  const subject = await by.unmatched()
  const { callbackToken } = await by.sent(subject)
  expect((await by.messageArrives(callbackToken, no('AG_1'))).result).toBe('EVIDENCE_RESULT_FAILED')
  expect(await status(subject)).toBe('failed')
  expect(await by.holder(subject)).toBe('suspense:unmatched')
  await by.requestedRefund(subject)
})

test('"refunded" after "refused" is believed, and the refund is posted', async () => {
  const subject = await by.unmatched()
  const { callbackToken } = await by.sent(subject)
  await by.messageArrives(callbackToken, no('AG_1'))
  expect((await by.messageArrives(callbackToken, ok(), { body: Buffer.from('late') })).result).toBe(
    'EVIDENCE_RESULT_SETTLED',
  )
  expect(await by.holder(subject)).toBeUndefined()
})

test.each([
  ['from an unknown address', ok(), { sourceKnown: false }],
  ['about another request', ok('AG_2'), {}],
  [
    'of another amount',
    confirmed({ providerRequestId: 'AG_1', receipt: 'X1', amountMinor: 1n }),
    {},
  ],
  ['that says no to another request', no('AG_2'), {}],
  ['that says no and names no request', no(undefined), {}],
])('an answer to a refund %s moves no money', async (_, fact, changes) => {
  const subject = await by.unmatched()
  const { callbackToken } = await by.sent(subject)
  expect((await by.messageArrives(callbackToken, fact, changes)).result).toBe(
    'EVIDENCE_RESULT_KEPT',
  )
  expect(await status(subject)).toBe('submitted')
  expect(await by.holder(subject)).toBe('suspense:unmatched')
})

test('a status query settles a refund, unless its answer shows the payment itself unchanged', async () => {
  const subject = await by.unmatched()
  const { refundId, queryToken, receipt } = await by.sent(subject)
  const stands = confirmed({ receipt, amountMinor: 50_000n })
  expect((await by.messageArrives(queryToken, stands)).result).toBe('EVIDENCE_RESULT_KEPT')
  expect(await status(subject)).toBe('submitted')
  await past(at.database, async (query) => {
    await query(
      `UPDATE refunds SET submitted_at = submitted_at - interval '31 minutes' WHERE id = $1`,
      [refundId],
    )
  })
  // Half an hour later the provider still has the payment, so it has not sent it back.
  const again = await by.messageArrives(queryToken, stands, { body: Buffer.from('later') })
  expect(again.result).toBe('EVIDENCE_RESULT_FAILED')
  const reversed = await by.messageArrives(queryToken, ok(), { body: Buffer.from('reversed') })
  expect(reversed.result).toBe('EVIDENCE_RESULT_SETTLED')
})

test('a stored callback is read back with the refund of its address; for an unknown address none is stored', async () => {
  const { refundId, callbackToken } = await by.sent(await by.unmatched())
  const messageId = await at.pay.callback(callbackToken)
  expect(await at.ledger.readProviderMessage({ messageId })).toMatchObject({
    refundId,
    kind: ProviderMessageKind.CALLBACK,
    rail: 'RAIL_MPESA',
  })
  const guess = `${callbackToken.slice(0, 24)}${'0'.repeat(32)}01`
  await expect(at.pay.callback(guess)).rejects.toMatchObject({ reason: 'route_not_found' })
  await at.ledger.applyEvidence({
    messageId,
    fact: { $case: 'unreadable', value: { detail: 'x' } },
  })
  expect(present(messageId)).toMatch(/^pm_/)
})
