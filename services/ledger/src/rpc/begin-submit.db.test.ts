import { IntentStatus, type Prompt, Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { openLedger, type TestLedger } from '../ledger.harness'
import { present, uniquePhone } from '../payments.harness'
import { letPass } from '../time.harness'

let at: TestLedger
let pay: TestLedger['pay']

beforeAll(async () => {
  at = await openLedger()
  pay = at.pay
})

afterAll(() => at.close())

async function started(phone = uniquePhone()): Promise<string> {
  const { checkoutId } = await pay.checkout()
  return present((await pay.start(checkoutId, { phone })).intent).intentId
}

test('hands out what goes to the provider, after the decision is written down', async () => {
  const phone = uniquePhone()
  const intentId = await started(phone)
  const { prompt } = await at.ledger.beginSubmit({ intentId })
  expect(prompt).toEqual({
    intentId,
    rail: Rail.MPESA,
    phone,
    amount: { currency: 'KES', minor: 50_000n },
    attemptReference: expect.stringMatching(/^M[0-9A-Z]{11}$/) as string,
    callbackToken: expect.stringMatching(/^[0-9a-f]{56}$/) as string,
  } satisfies Prompt)
  expect(await pay.status(intentId)).toBe(IntentStatus.SUBMITTED)
  const { rows } = await at.database.pool.query(
    'SELECT rail, outcome FROM wire_attempts WHERE intent_id = $1',
    [intentId],
  )
  expect(rows).toEqual([{ rail: 'mpesa', outcome: null }])
})

test('gives each attempt its own reference and token', async () => {
  const first = await at.ledger.beginSubmit({ intentId: await started() })
  const second = await at.ledger.beginSubmit({ intentId: await started() })
  expect(first.prompt?.callbackToken).not.toBe(second.prompt?.callbackToken)
  expect(first.prompt?.attemptReference).not.toBe(second.prompt?.attemptReference)
})

test('hands a prompt to one of 20 who ask at one moment, and never again', async () => {
  const intentId = await started()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => at.ledger.beginSubmit({ intentId })),
  )
  expect(answers.filter(({ prompt }) => prompt !== undefined)).toHaveLength(1)
  expect(await at.ledger.beginSubmit({ intentId })).toEqual({})
})

test('row 45: sends nothing a minute after the payer asked', async () => {
  const intentId = await started()
  await letPass(at.database, 60)
  expect(await at.ledger.beginSubmit({ intentId })).toEqual({})
})

test('sends nothing for a checkout that was paid meanwhile', async () => {
  const { checkoutId } = await pay.checkout()
  const older = await pay.pending(checkoutId)
  await pay.declined(older)
  const { intentId } = present((await pay.start(checkoutId)).intent)
  await pay.paid(older)
  expect(await at.ledger.beginSubmit({ intentId })).toEqual({})
  expect(await pay.status(intentId)).toBe(IntentStatus.FAILED)
})

test('has nothing to send for an unknown intent', async () => {
  expect(await at.ledger.beginSubmit({ intentId: `pi_${'0'.repeat(24)}` })).toEqual({})
})
