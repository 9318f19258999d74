import { type Due, Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import { openLedger, type TestLedger } from '../ledger.harness'
import { declined, present } from '../payments.harness'
import { letPass } from '../time.harness'

let at: TestLedger
let pay: TestLedger['pay']

beforeEach(async () => {
  at = await openLedger()
  pay = at.pay
})

afterEach(() => at.close())

const claim = async (limit = 100): Promise<Due[]> => (await at.ledger.claimDue({ limit })).due
const work = (due: Due[]) => due.map(({ work: piece }) => piece)

async function reserved(): Promise<string> {
  const { intent } = await pay.start((await pay.checkout()).checkoutId)
  return present(intent).intentId
}

test('leaves new work to its queued job for a second, then hands it out', async () => {
  const intentId = await reserved()
  expect(await claim()).toEqual([])
  await letPass(at.database, 1)
  expect(work(await claim())).toEqual([{ $case: 'submitIntentId', value: intentId }])
})

test('hands out queries, with their rail, and unread messages', async () => {
  const attempt = await pay.pending((await pay.checkout()).checkoutId)
  await letPass(at.database, 75)
  const messageId = await pay.callback(attempt.callbackToken)
  await letPass(at.database, 1)
  expect(await claim()).toEqual([
    { work: { $case: 'queryIntentId', value: attempt.intentId }, rail: Rail.MPESA },
    { work: { $case: 'readMessageId', value: messageId } },
  ])
})

test('hands out the query of an expired payment as a watch', async () => {
  const { intentId } = await pay.pending((await pay.checkout()).checkoutId)
  await letPass(at.database, 150)
  await eventually('it expires', async () => {
    return (await pay.status(intentId)) === 'INTENT_STATUS_EXPIRED'
  })
  await letPass(at.database, 3_600)
  expect(await claim()).toEqual([
    { work: { $case: 'queryIntentId', value: intentId }, rail: Rail.MPESA, isWatch: true },
  ])
})

test('row 68: hands work out again after five seconds if no worker began it', async () => {
  const intentId = await reserved()
  await letPass(at.database, 1)
  await claim()
  expect(await claim()).toEqual([])
  await letPass(at.database, 5)
  expect(work(await claim())).toEqual([{ $case: 'submitIntentId', value: intentId }])
})

test('does not hand out a prompt that a worker has begun', async () => {
  const intentId = await reserved()
  await at.ledger.beginSubmit({ intentId })
  await letPass(at.database, 10)
  expect(await claim()).toEqual([])
})

test('does not hand out a message that was applied', async () => {
  const attempt = await pay.pending((await pay.checkout()).checkoutId)
  await pay.declined(attempt)
  await letPass(at.database, 10)
  expect(await claim()).toEqual([])
})

test('hands out the longest due first, and at most `limit`', async () => {
  const ids: string[] = []
  for (let index = 0; index < 4; index += 1) {
    ids.push(await reserved())
    await letPass(at.database, 2)
  }
  const first = work(await claim(3))
  expect(first.map((piece) => piece?.value)).toEqual(ids.slice(0, 3))
  expect(work(await claim(3)).map((piece) => piece?.value)).toEqual(ids.slice(3))
})

test('never hands the same work to two of ten workers', async () => {
  const made = await Promise.all(Array.from({ length: 30 }, () => reserved()))
  await letPass(at.database, 1)
  const shares = await Promise.all(Array.from({ length: 10 }, () => claim(5)))
  const handed = shares.flatMap((share) => work(share).map((piece) => piece?.value))
  expect(new Set(handed).size).toBe(handed.length)
  const rest = work(await claim()).map((piece) => piece?.value)
  expect([...handed, ...rest].sort()).toEqual(made.sort())
})

test('row 86: parks a message after ten readings that did not finish', async () => {
  const attempt = await pay.pending((await pay.checkout()).checkoutId)
  const messageId = await pay.callback(attempt.callbackToken)
  let claims = 0
  for (let hour = 0; hour < 24; hour += 1) {
    await letPass(at.database, 3_600)
    const due = work(await claim()).filter((piece) => piece?.$case === 'readMessageId')
    claims += due.length
  }
  expect(claims).toBe(10)
  const { rows } = await at.database.pool.query(
    'SELECT result FROM provider_messages WHERE id = $1',
    [messageId],
  )
  expect(rows).toEqual([{ result: 'parked' }])
  const fact = declined(attempt.providerRequestId)
  expect(await at.ledger.applyEvidence({ messageId, fact })).toMatchObject({
    result: 'EVIDENCE_RESULT_PARKED',
  })
})

test.each([0, -1])('refuses the limit %d', async (limit) => {
  await expect(at.ledger.claimDue({ limit })).rejects.toMatchObject({
    reason: 'invalid_request',
    facts: { field: 'limit' },
  })
})
