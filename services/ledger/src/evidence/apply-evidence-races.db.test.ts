import { EvidenceResult } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { meanwhile } from '../locks.harness'
import { confirmed, insist, uniqueReceipt } from '../payments.harness'
import { slowDown } from '../time.harness'

const at = ledgerOfFile()
const { pay } = at

beforeAll(async () => {
  await slowDown(at.database, 'transfers')
})

async function posted(receipt: string): Promise<number> {
  const found = await at.database.pool.query('SELECT 1 FROM transfers WHERE event_key = $1', [
    `receipt:mpesa:${receipt}`,
  ])
  return found.rowCount ?? 0
}

test('row 3: a message that is applied 100 times at the same moment is posted once', async () => {
  const attempt = await pay.pending((await pay.checkout()).checkoutId)
  const receipt = uniqueReceipt()
  const messageId = await pay.callback(attempt.callbackToken)
  const fact = confirmed({ ...attempt, receipt })
  const applied = await Promise.all(
    Array.from({ length: 100 }, () => insist(() => at.ledger.applyEvidence({ messageId, fact }))),
  )
  expect(new Set(applied.map(({ result }) => result))).toEqual(new Set([EvidenceResult.SETTLED]))
  expect(await posted(receipt)).toBe(1)
})

test('50 messages about one receipt at the same moment post it once', async () => {
  const attempt = await pay.pending((await pay.checkout()).checkoutId)
  const receipt = uniqueReceipt()
  const messageIds = await Promise.all(
    Array.from({ length: 50 }, (_, copy) =>
      pay.callback(attempt.callbackToken, { body: Buffer.from(`${receipt} ${String(copy)}`) }),
    ),
  )
  const fact = confirmed({ ...attempt, receipt })
  const applied = await Promise.all(
    messageIds.map((messageId) => insist(() => at.ledger.applyEvidence({ messageId, fact }))),
  )
  const results = applied.map(({ result }) => result)
  expect(results.filter((result) => result === EvidenceResult.SETTLED)).toHaveLength(1)
  expect(results.filter((result) => result === EvidenceResult.ALREADY_SETTLED)).toHaveLength(49)
  expect(await posted(receipt)).toBe(1)
})

test('a receipt that is claimed for two checkouts at the same moment is posted for one of them, and contradicts the other', async () => {
  for (let round = 0; round < 10; round += 1) {
    const receipt = uniqueReceipt()
    const attempts = await Promise.all(
      Array.from({ length: 2 }, async () => pay.pending((await pay.checkout()).checkoutId)),
    )
    const applied = await Promise.all(attempts.map((attempt) => pay.paid(attempt, { receipt })))
    expect(applied.map(({ result }) => result).sort()).toEqual([
      EvidenceResult.CONTRADICTION,
      EvidenceResult.SETTLED,
    ])
    expect(await posted(receipt)).toBe(1)
  }
})

test('when "paid" and "declined" arrive at the same moment the money is posted, whichever is first', async () => {
  for (let round = 0; round < 20; round += 1) {
    const attempt = await pay.pending((await pay.checkout()).checkoutId)
    const receipt = uniqueReceipt()
    await Promise.all([pay.declined(attempt), pay.paid(attempt, { receipt })])
    expect(await posted(receipt)).toBe(1)
    expect(await pay.status(attempt.intentId)).toBe('INTENT_STATUS_COMPLETED')
  }
})

test('when two attempts of one checkout are paid at the same moment, one pays the merchant and the other is held', async () => {
  for (let round = 0; round < 10; round += 1) {
    const accountId = await pay.merchant()
    const { checkoutId } = await pay.checkout({ accountId })
    const older = await pay.pending(checkoutId)
    await pay.declined(older)
    const newer = await pay.pending(checkoutId)
    await Promise.all([pay.paid(older), pay.paid(newer)])
    const { rows } = await at.database.pool.query(
      'SELECT disposition FROM intents WHERE checkout_id = $1 ORDER BY disposition',
      [checkoutId],
    )
    expect(rows).toEqual([{ disposition: 'merchant' }, { disposition: 'suspense_duplicate' }])
  }
})

/** The write of the expiry job, which ends an attempt whose deadline has passed. */
const expires = `UPDATE intents SET status = 'expired', event = 'lapsed', cause = 'unconfirmed', ended_at = clock_timestamp(),
  deadline_at = NULL, next_action_at = clock_timestamp(), query_at = clock_timestamp() WHERE id = $1`

test('a "declined" that arrives while its attempt expires leaves the attempt expired, with the cause of the "declined"', async () => {
  const { checkoutId } = await pay.checkout()
  const attempt = await pay.pending(checkoutId)
  const read = async () => (await at.ledger.readCheckout({ checkoutId })).checkout
  await meanwhile(at, [expires, [attempt.intentId]], () => pay.declined(attempt))
  expect(await read()).toMatchObject({
    attempt: { status: 'INTENT_STATUS_EXPIRED', cause: 'FAILURE_CAUSE_CANCELLED' },
    mayHavePaid: false,
  })
  await pay.paid(attempt)
  expect(await read()).toMatchObject({ status: 'CHECKOUT_STATUS_COMPLETED' })
})
