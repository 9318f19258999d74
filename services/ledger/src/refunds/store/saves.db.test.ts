import {
  AskRefundOutcome,
  DecideRefundOutcome,
  RefundSender,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../../ledger.harness'
import { hold, meanwhile } from '../../locks.harness'
import { confirmed, insist, uniqueReceipt } from '../../payments.harness'
import { brian, enrolledOperators, note } from '../../operators/operators.harness'
import { applyToRefunds } from './apply'

const at = ledgerOfFile()
const by = enrolledOperators(at)

const fact = {
  ...{ kind: 'receipt' as const, receipt: 'REVERSAL01', amountMinor: 50_000n },
  providerRequestId: 'AG_1',
}
const yes = confirmed(fact)

async function statusOf(subject: string): Promise<string | undefined> {
  return (await by.story(subject)).refunds[0]?.status
}

test('leaves out the second of two messages about one refund in a batch', async () => {
  const { callbackToken } = await by.sent(await by.unmatched())
  const first = await at.pay.callback(callbackToken)
  const second = await at.pay.callback(callbackToken, { body: Buffer.from('again') })
  const answers = await applyToRefunds(at.database.pool, [
    { messageId: first, fact },
    { messageId: second, fact: { ...fact, kind: 'declined' } },
  ])
  expect(answers).toMatchObject([{ result: 'settled' }, undefined])
})

test('leaves out the second of two refunds that take from one wallet in a batch', async () => {
  const accountId = await at.pay.merchant()
  const messages = []
  for (const receipt of [uniqueReceipt(), uniqueReceipt()]) {
    const { checkoutId } = await at.pay.checkout({ accountId })
    await at.pay.paid(await at.pay.pending(checkoutId), { receipt })
    const { callbackToken } = await by.sent(`mpesa:${receipt}`)
    messages.push({ messageId: await at.pay.callback(callbackToken), fact })
  }
  const answers = await applyToRefunds(at.database.pool, messages)
  expect(answers).toMatchObject([{ result: 'settled' }, undefined])
})

test('a refund that a worker takes at the same moment is not withdrawn', async () => {
  const subject = await by.unmatched()
  const refundId = await by.requestedRefund(subject)
  await by.agreed(refundId)
  const { outcome } = await meanwhile(
    at,
    [`UPDATE refunds SET status = 'submitted', submitted_at = now() WHERE id = $1`, [refundId]],
    () => by.amina.decideRefund({ refundId, agreed: false, note }),
  )
  expect(outcome).toBe(DecideRefundOutcome.REFUND_DECIDED)
  expect(await statusOf(subject)).toBe('submitted')
})

test('a refund that another worker takes at the same moment is not handed out again', async () => {
  const subject = await by.unmatched()
  const refundId = await by.requestedRefund(subject)
  await by.agreed(refundId)
  const { order } = await meanwhile(
    at,
    [`UPDATE refunds SET status = 'submitted', submitted_at = now() WHERE id = $1`, [refundId]],
    () => at.ledger.beginRefund({ refundId }),
  )
  expect(order).toBeUndefined()
})

test('a refund that is withdrawn at the same moment is not handed out', async () => {
  const subject = await by.unmatched()
  const refundId = await by.requestedRefund(subject)
  await by.agreed(refundId)
  const { order } = await meanwhile(
    at,
    [`UPDATE refunds SET status = 'withdrawn', ended_at = now() WHERE id = $1`, [refundId]],
    () => at.ledger.beginRefund({ refundId }),
  )
  expect(order).toBeUndefined()
  expect(await statusOf(subject)).toBe('withdrawn')
})

test('a refund that another worker queries at the same moment is not queried twice', async () => {
  const { refundId } = await by.sent(await by.unmatched())
  const due = 'UPDATE refunds SET next_action_at = now() WHERE id = $1'
  await at.database.pool.query(due, [refundId])
  const statement = `UPDATE refunds SET next_action_at = now() + interval '1 minute' WHERE id = $1`
  const { order } = await meanwhile(at, [statement, [refundId]], () =>
    at.ledger.beginRefundQuery({ refundId }),
  )
  expect(order).toBeUndefined()
})

test('a refund that fails at the moment at which its call is recorded stays failed', async () => {
  const subject = await by.unmatched()
  const { refundId } = await by.sent(subject)
  const outcome = { $case: 'unknown', value: { detail: 'ECONNRESET' } } as const
  const { status } = await meanwhile(
    at,
    [
      `UPDATE refunds SET status = 'failed', ended_at = now(), provider_code = '17' WHERE id = $1`,
      [refundId],
    ],
    () => at.ledger.recordRefund({ refundId, outcome }),
  )
  expect(status).toBe('failed')
  expect(await statusOf(subject)).toBe('failed')
})

test('no refund is asked for where the money of the receipt goes back at the same moment', async () => {
  const subject = await by.unmatched()
  const { outcome } = await meanwhile(
    at,
    [
      `WITH held AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtextextended('receipt:' || $1, 0)))
       INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
       SELECT 'refunded:' || $1, 0, 'suspense:unmatched', 'float:mpesa', 'KES', 50000, now(), now() FROM held`,
      [subject],
    ],
    () => by.amina.askRefund({ subject, sentBy: RefundSender.US, note }),
  )
  expect(outcome).toBe(AskRefundOutcome.NOTHING_TO_REFUND)
  await by.unpost(subject)
})

test('no refund is asked for where another one of the receipt is asked for at the same moment', async () => {
  const subject = await by.unmatched()
  const [provider, receipt] = subject.split(':')
  const { outcome, refundId } = await meanwhile(
    at,
    [
      `INSERT INTO refunds (id, provider, receipt, minor, sent_by, status, asked_by, asked_at, callback_secret)
       VALUES ('rf_' || repeat('0', 24), $1, $2, 50000, 'us', 'asked', $3, now(), 'secret')`,
      [provider, receipt, brian.operatorId],
    ],
    () => by.amina.askRefund({ subject, sentBy: RefundSender.US, note }),
  )
  expect({ outcome, refundId }).toEqual({
    outcome: AskRefundOutcome.REFUND_UNDERWAY,
    refundId: undefined,
  })
  const { actions } = await by.story(subject)
  expect(actions).toEqual([])
})

test('a message that is kept at the same moment is counted, and not kept twice', async () => {
  const { refundId, callbackToken } = await by.sent(await by.unmatched())
  const keptId = `pm_${'0'.repeat(24)}`
  const messageId = await meanwhile(
    at,
    [
      `INSERT INTO provider_messages (
         id, refund_id, rail, kind, body, digest, source_address, source_known, received_at, next_action_at
       ) VALUES (
         $1, $2, 'mpesa', 'callback', 'same', sha256(convert_to($2 || ' callback true' || 'same', 'UTF8')),
         '196.201.214.200', true, now(), now()
       )`,
      [keptId, refundId],
    ],
    () => at.pay.callback(callbackToken, { body: Buffer.from('same') }),
  )
  expect(messageId).toBe(keptId)
  const { rows } = await at.database.pool.query(
    'SELECT id, deliveries FROM provider_messages WHERE refund_id = $1',
    [refundId],
  )
  expect(rows).toEqual([{ id: keptId, deliveries: 2 }])
})

test('a refund that another worker leases is left to it, and the claim does not wait', async () => {
  const refundIds = []
  for (const subject of [await by.unmatched(), await by.unmatched()]) {
    const refundId = await by.requestedRefund(subject)
    await by.agreed(refundId)
    refundIds.push(refundId)
  }
  const [taken = '', free] = refundIds
  const claim = async () => {
    const { due } = await at.ledger.claimDue({ limit: 500 })
    return due.map(({ work }) => work?.value).filter((id) => id === taken || id === free)
  }
  const other = await hold(at, 'refunds', taken)
  const claimed = await claim().catch(String)
  await other.letGo()
  expect(claimed).toEqual([free])
  expect(await claim()).toEqual([taken])
})

test('a refund keeps what evidence writes to its intent at the same moment', async () => {
  const { subject, intentId } = await by.paid()
  const { callbackToken } = await by.sent(subject)
  await meanwhile(at, [`UPDATE intents SET provider_code = 'late' WHERE id = $1`, [intentId]], () =>
    by.messageArrives(callbackToken, yes),
  )
  const { rows } = await at.database.pool.query(
    'SELECT status, provider_code FROM intents WHERE id = $1',
    [intentId],
  )
  expect(rows).toEqual([{ status: 'reversed', provider_code: 'late' }])
})

test('a message that is parked at the same moment posts nothing, and is answered as parked', async () => {
  const subject = await by.unmatched()
  const { callbackToken } = await by.sent(subject)
  const messageId = await at.pay.callback(callbackToken)
  const parked = `UPDATE provider_messages SET result = 'parked', applied_at = now(), next_action_at = NULL WHERE id = $1`
  const { result } = await meanwhile(at, [parked, [messageId]], () =>
    insist(() => at.ledger.applyEvidence({ messageId, fact: yes })),
  )
  expect(result).toBe('EVIDENCE_RESULT_PARKED')
  expect(await statusOf(subject)).toBe('submitted')
  expect(await by.holder(subject)).toBe('suspense:unmatched')
})

test('money that goes back at the same moment does not go back again', async () => {
  const subject = await by.unmatched()
  const { callbackToken } = await by.sent(subject)
  const messageId = await at.pay.callback(callbackToken)
  const gone = `INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
    VALUES ('refunded:' || $1, 0, 'suspense:unmatched', 'float:mpesa', 'KES', 50000, now(), now())`
  const applying = meanwhile(at, [gone, [subject]], () =>
    at.ledger.applyEvidence({ messageId, fact: yes }),
  )
  await expect(applying).rejects.toMatchObject({ reason: 'internal' })
  expect(await statusOf(subject)).toBe('submitted')
  await by.unpost(subject)
})
