import {
  CheckoutStatus,
  EvidenceResult,
  FailureCause,
  IntentStatus,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import { cards, type CardAttempt, type WireFact } from './cards.harness'
import { ledgerOfFile } from '../ledger.harness'
import { confirmed } from '../payments.harness'
import { letPass } from '../time.harness'
import { evidence } from '../evidence/evidence.harness'

const at = ledgerOfFile()
const card = cards(at)

const notFound = { $case: 'notFound', value: { providerCode: 'ORDER_NOT_FOUND' } } as const

async function legs({ intentId }: CardAttempt): Promise<unknown[]> {
  const { rows } = await at.database.pool.query(
    'SELECT leg, debit, credit, minor FROM transfers WHERE event_key = $1 ORDER BY leg',
    [`receipt:card:${intentId}-1`],
  )
  return rows
}

async function attemptOf({ checkoutId }: CardAttempt) {
  return (await at.ledger.readCheckout({ checkoutId })).checkout?.attempt
}

async function secondsToQuery({ intentId }: CardAttempt): Promise<number> {
  const { rows } = await at.database.pool.query<{ seconds: number }>(
    'SELECT extract(epoch FROM query_at - clock_timestamp())::float8 AS seconds FROM intents WHERE id = $1',
    [intentId],
  )
  return rows[0]?.seconds ?? Infinity
}

/** Lets time pass and waits for the expiry job: it has run once the prompt that this function starts has expired. */
async function letPassAndLook(seconds: number): Promise<void> {
  const { checkoutId } = await at.pay.checkout()
  const { intentId } = await at.pay.pending(checkoutId)
  await letPass(at.database, seconds)
  await eventually('the prompt has expired', async () => {
    return (await at.pay.status(intentId)) === IntentStatus.EXPIRED
  })
}

test('row 96: a captured order credits the amount to the merchant and the fee to us, as two legs of one journal entry', async () => {
  const attempt = await card.open()
  const { result, status } = await card.fetched(attempt.intentId, card.paid(attempt))
  expect([result, status]).toEqual([EvidenceResult.SETTLED, IntentStatus.COMPLETED])
  expect(await legs(attempt)).toEqual([
    { leg: 0, debit: 'float:card', credit: `wallet:${attempt.accountId}`, minor: '50000' },
    { leg: 1, debit: 'float:card', credit: 'fee:card', minor: '1800' },
  ])
  const { accountId, checkoutId, intentId } = attempt
  const { checkout } = await at.ledger.retrieveCheckout({ accountId, checkoutId })
  expect(checkout).toMatchObject({
    status: CheckoutStatus.COMPLETED,
    payment: { intentId, amountSettledMinor: 50_000n, providerReceipt: `${intentId}-1` },
  })
  const again = await card.fetched(intentId, card.paid(attempt))
  expect(again.result).toBe(EvidenceResult.ALREADY_SETTLED)
})

test('a card payment without a fee is posted as one leg', async () => {
  const free = await at.another({ cardFeeBps: 0n })
  const its = cards(free)
  const { checkoutId, accountId } = await its.checkout()
  const { intent, session } = await its.start(checkoutId)
  const attempt = { intentId: intent?.intentId ?? '', checkoutId, accountId, totalMinor: 50_000n }
  expect(session?.feeMinor).toBe(0n)
  await free.ledger.beginSubmit({ intentId: attempt.intentId })
  await its.fetched(attempt.intentId, its.paid(attempt))
  expect(await legs(attempt)).toHaveLength(1)
})

test('a notification of the card gateway, or a browser that returns, settles nothing and makes a status query due at once', async () => {
  for (const fact of [confirmed({}), card.left]) {
    const attempt = await card.open()
    expect(await secondsToQuery(attempt)).toBeGreaterThan(20)
    const { result } = await card.hinted(attempt.intentId, fact)
    expect([result, await secondsToQuery(attempt)]).toEqual([
      EvidenceResult.KEPT,
      expect.closeTo(0, 0) as number,
    ])
    expect(await at.pay.status(attempt.intentId)).toBe(IntentStatus.PENDING)
    await card.fetched(attempt.intentId, card.paid(attempt))
  }
  // A forged notification settles nothing even when each of its fields is right.
  const attempt = await card.open()
  await card.hinted(attempt.intentId, card.paid(attempt))
  expect(await legs(attempt)).toEqual([])
  await card.fetched(attempt.intentId, card.paid(attempt))
})

test('a declined card ends nothing while its payer may be trying another', async () => {
  const attempt = await card.open()
  await letPass(at.database, 100)
  await card.fetched(attempt.intentId, card.declined(attempt.intentId))
  await letPass(at.database, 20)
  await card.fetched(attempt.intentId, card.declined(attempt.intentId))
  expect(await at.pay.status(attempt.intentId)).toBe(IntentStatus.PENDING)
  await card.fetched(attempt.intentId, card.paid(attempt))
  expect(await at.pay.status(attempt.intentId)).toBe(IntentStatus.COMPLETED)
})

test.each([
  ['a declined card', (intentId: string) => card.declined(intentId)],
  ['no order', (): WireFact => notFound],
])(
  'row 96: a browser that opens the return address ends nothing, while the gateway answers %s and its page is open',
  async (_, answer) => {
    const attempt = await card.open()
    await card.returned(attempt.intentId)
    expect(await secondsToQuery(attempt)).toEqual(expect.closeTo(0, 0) as number)
    for (let times = 0; times < 3; times += 1) {
      const { result } = await card.fetched(attempt.intentId, answer(attempt.intentId))
      expect(result).toBe(EvidenceResult.KEPT)
      await letPass(at.database, 100)
    }
    expect(await at.pay.status(attempt.intentId)).toBe(IntentStatus.PENDING)
    await expect(card.start(attempt.checkoutId)).rejects.toMatchObject({
      reason: 'payment_in_progress',
    })
    await card.fetched(attempt.intentId, card.paid(attempt))
    expect(await evidence(at).checkoutStatus(attempt.checkoutId)).toBe(CheckoutStatus.COMPLETED)
  },
)

test('after a browser returned, two "declined" answers of the card gateway fail the attempt once its page has closed', async () => {
  const attempt = await card.open()
  await card.returned(attempt.intentId)
  await letPass(at.database, 905)
  const first = await card.fetched(attempt.intentId, card.declined(attempt.intentId))
  expect(first.result).toBe(EvidenceResult.KEPT)
  await letPass(at.database, 16)
  const second = await card.fetched(attempt.intentId, card.declined(attempt.intentId))
  expect(second.result).toBe(EvidenceResult.FAILED)
  expect(await attemptOf(attempt)).toMatchObject({ cause: FailureCause.CARD_DECLINED })
})

test('row 96: an attempt fails with the cause when the card gateway reports that the payer left the page and its order is declined', async () => {
  const attempt = await card.open()
  await card.hinted(attempt.intentId, card.left)
  expect(await at.pay.status(attempt.intentId)).toBe(IntentStatus.PENDING)
  const { result } = await card.fetched(attempt.intentId, card.declined(attempt.intentId))
  expect(result).toBe(EvidenceResult.FAILED)
  expect(await attemptOf(attempt)).toMatchObject({
    status: IntentStatus.FAILED,
    cause: FailureCause.CARD_DECLINED,
  })
})

test('row 96: an attempt whose browser returns unpaid stays pending, and expires when its session ends', async () => {
  const attempt = await card.open()
  await card.returned(attempt.intentId)
  await letPassAndLook(800)
  expect(await at.pay.status(attempt.intentId)).toBe(IntentStatus.PENDING)
  await letPass(at.database, 200)
  await eventually('the attempt has expired', async () => {
    return (await at.pay.status(attempt.intentId)) === IntentStatus.EXPIRED
  })
  expect(await legs(attempt)).toEqual([])
})

test('a browser that opens the return address does not end the attempt: a paid order still completes it', async () => {
  const attempt = await card.open()
  await card.returned(attempt.intentId)
  await card.fetched(attempt.intentId, card.paid(attempt))
  expect(await at.pay.status(attempt.intentId)).toBe(IntentStatus.COMPLETED)
})

test('money that arrives after the attempt failed still completes the checkout', async () => {
  const attempt = await card.open()
  await card.hinted(attempt.intentId, card.left)
  await card.fetched(attempt.intentId, card.declined(attempt.intentId))
  const { result } = await card.fetched(attempt.intentId, card.paid(attempt))
  expect(result).toBe(EvidenceResult.SETTLED)
  expect(await evidence(at).checkoutStatus(attempt.checkoutId)).toBe(CheckoutStatus.COMPLETED)
})

test('a browser that returns and says "paid" after the attempt has failed makes a status query due, and the money completes the checkout', async () => {
  const attempt = await card.open()
  await card.hinted(attempt.intentId, card.left)
  await card.fetched(attempt.intentId, card.declined(attempt.intentId))
  expect(await secondsToQuery(attempt)).toBe(Infinity)
  await card.returned(attempt.intentId, confirmed({}))
  expect(await secondsToQuery(attempt)).toEqual(expect.closeTo(0, 0) as number)
  await card.fetched(attempt.intentId, card.paid(attempt))
  expect(await evidence(at).checkoutStatus(attempt.checkoutId)).toBe(CheckoutStatus.COMPLETED)
})

test('row 96: an attempt expires with its session and is still queried, and late money completes the expired checkout', async () => {
  const attempt = await card.open()
  await letPassAndLook(890)
  expect(await at.pay.status(attempt.intentId)).toBe(IntentStatus.PENDING)
  await letPass(at.database, 1_000)
  await eventually('the attempt has expired', async () => {
    return (await at.pay.status(attempt.intentId)) === IntentStatus.EXPIRED
  })
  expect(await evidence(at).checkoutStatus(attempt.checkoutId)).toBe(CheckoutStatus.EXPIRED)
  expect(await secondsToQuery(attempt)).toBeLessThan(3_600)
  await card.fetched(attempt.intentId, card.paid(attempt))
  expect(await evidence(at).checkoutStatus(attempt.checkoutId)).toBe(CheckoutStatus.COMPLETED)
  expect(await legs(attempt)).toHaveLength(2)
})

test('an attempt whose order is not found expires with its session, and is queried again within the hour', async () => {
  const attempt = await card.open()
  await letPass(at.database, 1_000)
  await eventually('the attempt has expired', async () => {
    return (await at.pay.status(attempt.intentId)) === IntentStatus.EXPIRED
  })
  await card.fetched(attempt.intentId, notFound)
  await letPass(at.database, 20)
  await card.fetched(attempt.intentId, notFound)
  expect(await secondsToQuery(attempt)).toBeLessThan(3_600)
})

test('all of a card payment of another amount than the total is held in suspense, the fee included', async () => {
  const attempt = await card.open()
  await card.fetched(attempt.intentId, card.paid(attempt, 50_000n))
  expect(await legs(attempt)).toEqual([
    { leg: 0, debit: 'float:card', credit: 'suspense:mismatch', minor: '50000' },
  ])
  expect(await evidence(at).checkoutStatus(attempt.checkoutId)).toBe(CheckoutStatus.OPEN)
})

test('a card payment for a checkout that a phone has paid is held as a duplicate, the fee included', async () => {
  const attempt = await card.open()
  await card.hinted(attempt.intentId, card.left)
  await card.fetched(attempt.intentId, card.declined(attempt.intentId))
  await at.pay.paid(await at.pay.pending(attempt.checkoutId))
  await card.fetched(attempt.intentId, card.paid(attempt))
  expect(await legs(attempt)).toEqual([
    { leg: 0, debit: 'float:card', credit: 'suspense:duplicate', minor: '51800' },
  ])
})

test('a paid order of another attempt leaves the attempt pending', async () => {
  const attempt = await card.open()
  const other = await card.open()
  await card.fetched(attempt.intentId, card.paid(other))
  expect(await at.pay.status(attempt.intentId)).toBe(IntentStatus.PENDING)
})
