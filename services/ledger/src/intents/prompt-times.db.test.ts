import { Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { countries } from '@malipo/kernel/countries'
import { promptTimes } from '@malipo/kernel/prompts'
import { openLedger, type TestLedger } from '../ledger.harness'
import { present } from '../payments.harness'

let at: TestLedger
let uganda: TestLedger

beforeAll(async () => {
  at = await openLedger()
  uganda = await openLedger({ country: countries.ug, rails: ['mtn_momo', 'airtel_money'] })
})

afterAll(async () => {
  await at.close()
  await uganda.close()
})

test.each([
  ['mpesa', Rail.MPESA, '254712345678'],
  ['mtn_momo', Rail.MTN_MOMO, '256772123456'],
  ['airtel_money', Rail.AIRTEL_MONEY, '256702123456'],
] as const)(
  'an attempt by %s has the deadline and the time of the first status query of its rail',
  async (name, rail, phone) => {
    const { ledger, pay, database } = name === 'mpesa' ? at : uganda
    const { checkoutId } = await pay.checkout({ amountMinor: 500_000n })
    const request = { checkoutId, idempotencyKey: 'key', fingerprint: Buffer.alloc(32, 7) }
    const { intent } = await ledger.startIntent({ ...request, rail, phone })
    const { intentId } = present(intent)
    await ledger.beginSubmit({ intentId })
    const { rows } = await database.pool.query(
      `SELECT extract(epoch FROM deadline_at - submitted_at)::int AS "deadlineSeconds",
         extract(epoch FROM query_at - submitted_at)::int AS "queryAfterSeconds"
       FROM intents WHERE id = $1`,
      [intentId],
    )
    const { deadlineSeconds, queryAfterSeconds } = promptTimes[name]
    expect(rows).toEqual([{ deadlineSeconds, queryAfterSeconds }])
  },
)

test('tells the payer page how long to wait for the prompt, and that the answer to the push is unknown', async () => {
  const { checkoutId } = await at.pay.checkout()
  const { intentId } = present((await at.pay.start(checkoutId)).intent)
  const attempt = async () => (await at.ledger.readCheckout({ checkoutId })).checkout?.attempt
  expect(await attempt()).toMatchObject({ sentAt: undefined, unanswered: false })

  await at.ledger.beginSubmit({ intentId })
  const sent = present(await attempt())
  const waitMs = present(sent.deadlineAt).getTime() - present(sent.sentAt).getTime()
  expect([waitMs, sent.unanswered]).toEqual([150_000, false])

  const outcome = { $case: 'unknown', value: { detail: 'http 500' } } as const
  await at.ledger.recordSubmit({ intentId, outcome })
  expect(await attempt()).toMatchObject({ unanswered: true })
})
