import { IntentStatus, RefundSender } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { cards, type CardAttempt } from './cards.harness'
import { ledgerOfFile } from '../ledger.harness'
import { confirmed } from '../payments.harness'
import { past } from '../time.harness'
import { enrolledOperators } from '../operators/operators.harness'

const at = ledgerOfFile()
const card = cards(at)
const by = enrolledOperators(at)

/** A paid card attempt of KES 500.00 and a fee of KES 18.00. */
async function paid(): Promise<CardAttempt & { readonly subject: string }> {
  const attempt = await card.open()
  await card.fetched(attempt.intentId, card.paid(attempt))
  return { ...attempt, subject: subjectOf(attempt) }
}

const subjectOf = ({ intentId }: CardAttempt) => `card:${intentId}-1`

/** The card gateway's answer about an order. A receipt other than that of the payment is the refund's. */
const order = (receipt: string, amountMinor: bigint) => confirmed({ receipt, amountMinor })

async function legs(subject: string): Promise<unknown[]> {
  const { rows } = await at.database.pool.query(
    'SELECT leg, debit, credit, minor FROM transfers WHERE event_key = $1 ORDER BY leg',
    [`refunded:${subject}`],
  )
  return rows
}

const bothWays = (accountId: string) => [
  { leg: 0, debit: `wallet:${accountId}`, credit: 'float:card', minor: '50000' },
  { leg: 1, debit: 'fee:card', credit: 'float:card', minor: '1800' },
]

test('a card refund returns the amount from the wallet and the fee from us, once', async () => {
  const { subject, intentId, accountId } = await paid()
  const { receipt, amount, queryToken } = await by.sent(subject, 'rf_1-void')
  expect({ receipt, amount }).toEqual({
    receipt: `${intentId}-1`,
    amount: { minor: 51_800n, currency: 'KES' },
  })
  const voided = order(`${intentId}-rf_1-void`, 51_800n)
  expect((await by.messageArrives(queryToken, voided)).result).toBe('EVIDENCE_RESULT_SETTLED')
  const again = await by.messageArrives(queryToken, voided, { body: Buffer.from('again') })
  expect(again.result).toBe('EVIDENCE_RESULT_KEPT')
  expect(await legs(subject)).toEqual(bothWays(accountId))
  expect(await at.pay.status(intentId)).toBe(IntentStatus.REVERSED)
  expect(await by.balance(`wallet:${accountId}`)).toBe('0')
})

test('a card refund that was made by hand at the card gateway is posted the same way', async () => {
  const { subject, accountId } = await paid()
  expect(await by.agreed(await by.requestedRefund(subject, RefundSender.PROVIDER))).toContain(
    'PAID',
  )
  expect(await legs(subject)).toEqual(bothWays(accountId))
})

test('a merchant who has spent the money owes what the wallet lacks of the amount, and never the fee', async () => {
  const { subject, accountId } = await paid()
  const spent = { debit: `wallet:${accountId}`, credit: 'suspense:unmatched' }
  await at.database.pool.query(
    `INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
     VALUES ($3, 0, $1, $2, 'KES', 20000, now(), now())`,
    [spent.debit, spent.credit, `spent:${subject}`],
  )
  await by.agreed(await by.requestedRefund(subject, RefundSender.PROVIDER))
  expect(await legs(subject)).toEqual([
    { leg: 0, debit: `wallet:${accountId}`, credit: 'float:card', minor: '30000' },
    { leg: 1, debit: `receivable:${accountId}`, credit: 'float:card', minor: '20000' },
    { leg: 2, debit: 'fee:card', credit: 'float:card', minor: '1800' },
  ])
  // Merchants cannot spend yet, so the test reverses the transfer that it made up: then every invariant holds.
  await at.database.pool.query(
    `INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
     VALUES ($3, 0, $2, $1, 'KES', 20000, now(), now())`,
    [spent.debit, spent.credit, `unspent:${subject}`],
  )
})

test('a card refund of money in suspense takes all of it from suspense', async () => {
  const attempt = await card.open()
  await card.fetched(attempt.intentId, card.paid(attempt, 60_000n))
  const subject = subjectOf(attempt)
  expect(await by.holder(subject)).toBe('suspense:mismatch')
  const { amount, queryToken } = await by.sent(subject)
  expect(amount?.minor).toBe(60_000n)
  await by.messageArrives(queryToken, order(`${attempt.intentId}-rf_1-void`, 60_000n))
  expect(await legs(subject)).toEqual([
    { leg: 0, debit: 'suspense:mismatch', credit: 'float:card', minor: '60000' },
  ])
  expect(await at.pay.status(attempt.intentId)).toBe(IntentStatus.REVERSED)
})

test('a card refund of the amount without the fee moves nothing, because the payer paid the fee too', async () => {
  const { subject, intentId } = await paid()
  const { queryToken } = await by.sent(subject)
  const part = order(`${intentId}-rf_1-refund`, 50_000n)
  expect((await by.messageArrives(queryToken, part)).result).toBe('EVIDENCE_RESULT_KEPT')
  expect(await legs(subject)).toEqual([])
})

test('an answer that names another step of the order and says that the payment stands posts no card refund', async () => {
  const { subject, intentId } = await paid()
  const { queryToken } = await by.sent(subject)
  const stands = confirmed({
    receipt: `${intentId}-7`,
    amountMinor: 51_800n,
    paymentStands: true,
  })
  expect((await by.messageArrives(queryToken, stands)).result).toBe('EVIDENCE_RESULT_KEPT')
  expect(await legs(subject)).toEqual([])
})

test('a card refund fails when the card gateway still reports the order as paid after half an hour', async () => {
  const { subject, intentId } = await paid()
  const { refundId, queryToken } = await by.sent(subject)
  const stands = order(`${intentId}-1`, 51_800n)
  expect((await by.messageArrives(queryToken, stands)).result).toBe('EVIDENCE_RESULT_KEPT')
  await past(at.database, async (query) => {
    await query(
      `UPDATE refunds SET submitted_at = submitted_at - interval '31 minutes' WHERE id = $1`,
      [refundId],
    )
  })
  // The card gateway gives the identical answer, because the order has not changed.
  const later = await by.messageArrives(queryToken, stands)
  expect(later.result).toBe('EVIDENCE_RESULT_FAILED')
  expect(await legs(subject)).toEqual([])
})
