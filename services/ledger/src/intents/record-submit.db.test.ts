import {
  FailureCause,
  IntentStatus,
  ProviderMessageKind,
  type RecordSubmitRequest,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import { ledgerOfFile } from '../ledger.harness'
import { evidence } from '../evidence/evidence.harness'
import { hold, meanwhile } from '../locks.harness'
import { confirmed, present, unique, uniqueReceipt } from '../payments.harness'
import { startLedger } from '../start.harness'
import { letPass } from '../time.harness'

const at = ledgerOfFile()
const { pay } = at

type Outcome = RecordSubmitRequest['outcome']
const accepted = (providerRequestId: string): Outcome => ({
  $case: 'accepted',
  value: { providerRequestId },
})
const refused: Outcome = {
  $case: 'refused',
  value: { cause: FailureCause.SESSION_OPEN, providerCode: '500.001.1001' },
}
const notSent: Outcome = { $case: 'notSent', value: { detail: 'ECONNREFUSED' } }
const unknown: Outcome = { $case: 'unknown', value: { detail: 'ETIMEDOUT' } }

async function submitted(): Promise<{ intentId: string; token: string; checkoutId: string }> {
  const { checkoutId } = await pay.checkout()
  const { intentId } = present((await pay.start(checkoutId)).intent)
  const { prompt } = await at.ledger.beginSubmit({ intentId })
  return { intentId, token: present(prompt).callbackToken, checkoutId }
}

const causeOf = async (checkoutId: string) =>
  (await at.ledger.readCheckout({ checkoutId })).checkout?.attempt?.cause

async function outcomeOf(intentId: string): Promise<string | undefined> {
  const { rows } = await at.database.pool.query<{ outcome: string }>(
    'SELECT outcome FROM wire_attempts WHERE intent_id = $1',
    [intentId],
  )
  return rows[0]?.outcome
}

test('an accepted call makes the attempt pending, and its status query names the provider’s id', async () => {
  const { intentId } = await submitted()
  const outcome = accepted('ws_CO_1')
  expect(await at.ledger.recordSubmit({ intentId, outcome })).toEqual({
    status: IntentStatus.PENDING,
  })
  await letPass(at.database, 75)
  expect((await at.ledger.beginQuery({ intentId })).query?.providerRequestId).toBe('ws_CO_1')
})

test('row 21: a refused call fails the attempt with the cause', async () => {
  const { intentId, checkoutId } = await submitted()
  expect(await at.ledger.recordSubmit({ intentId, outcome: refused })).toEqual({
    status: IntentStatus.FAILED,
  })
  expect(await causeOf(checkoutId)).toBe(FailureCause.SESSION_OPEN)
})

test('a call that was not sent fails the attempt', async () => {
  const { intentId, checkoutId } = await submitted()
  expect(await at.ledger.recordSubmit({ intentId, outcome: notSent })).toEqual({
    status: IntentStatus.FAILED,
  })
  expect(await causeOf(checkoutId)).toBe(FailureCause.NOT_STARTED)
})

test('row 20: a call with an unknown outcome leaves the attempt submitted, and is never sent again', async () => {
  const { intentId } = await submitted()
  expect(await at.ledger.recordSubmit({ intentId, outcome: unknown })).toEqual({
    status: IntentStatus.SUBMITTED,
  })
  expect(await at.ledger.beginSubmit({ intentId })).toEqual({})
})

test('recording an outcome twice changes nothing', async () => {
  const { intentId } = await submitted()
  await at.ledger.recordSubmit({ intentId, outcome: accepted('ws_CO_1') })
  await at.ledger.recordSubmit({ intentId, outcome: accepted('ws_CO_1') })
  expect(await pay.status(intentId)).toBe(IntentStatus.PENDING)
})

test('row 4: an answer after the callback leaves the attempt completed', async () => {
  const { intentId, token: callbackToken } = await submitted()
  const providerRequestId = unique('ws_CO_')
  await pay.paid({ intentId, callbackToken, providerRequestId, amountMinor: 50_000n })
  expect(await at.ledger.recordSubmit({ intentId, outcome: accepted(providerRequestId) })).toEqual({
    status: IntentStatus.COMPLETED,
  })
})

test('a refusal after the money arrived leaves the attempt completed', async () => {
  const { intentId, token: callbackToken } = await submitted()
  const providerRequestId = unique('ws_CO_')
  await pay.paid({ intentId, callbackToken, providerRequestId, amountMinor: 50_000n })
  expect(await at.ledger.recordSubmit({ intentId, outcome: refused })).toEqual({
    status: IntentStatus.COMPLETED,
  })
})

test('a refusal after an acknowledgement leaves the attempt pending', async () => {
  const { intentId } = await submitted()
  await at.ledger.recordSubmit({ intentId, outcome: accepted(unique('ws_')) })
  expect(await at.ledger.recordSubmit({ intentId, outcome: refused })).toEqual({
    status: IntentStatus.PENDING,
  })
})

test.each([
  ['refused', refused],
  ['not sent', notSent],
])(
  'a call that is %s after its prompt was reported as paid ends nothing, and the query stays due',
  async (_, outcome) => {
    const { intentId, token: callbackToken, checkoutId } = await submitted()
    const providerRequestId = unique('ws_CO_')
    const paid = { intentId, callbackToken, providerRequestId, amountMinor: 50_000n }
    const receipt = uniqueReceipt()
    await pay.paid(paid, { sourceKnown: false, receipt })
    const before = await evidence(at).counted('contradiction')
    expect(await at.ledger.recordSubmit({ intentId, outcome })).toEqual({
      status: IntentStatus.SUBMITTED,
    })
    expect(await evidence(at).counted('contradiction')).toBe(before + 1)
    expect(await outcomeOf(intentId)).toBe(
      present(outcome).$case === 'refused' ? 'refused' : 'not_sent',
    )
    expect(await causeOf(checkoutId)).toBe(FailureCause.UNSPECIFIED)
    expect((await at.ledger.beginQuery({ intentId })).query).toBeDefined()
    const row = confirmed({ receipt, amountMinor: 50_000n })
    await evidence(at).fetched(paid, row, ProviderMessageKind.STATEMENT_ROW)
    expect(await pay.status(intentId)).toBe(IntentStatus.COMPLETED)
  },
)

test('a refusal of a prompt that was reported as paid is logged as a contradiction, with the id of its attempt', async () => {
  const lines: string[] = []
  const write = (line: string) => lines.push(line)
  const ledger = await startLedger(at.database, { logLevel: 'warn' }, { write })
  const { intentId, token: callbackToken } = await submitted()
  const paid = { intentId, callbackToken, amountMinor: 50_000n, providerRequestId: unique('ws_') }
  await pay.paid(paid, { sourceKnown: false, receipt: uniqueReceipt() })
  await ledger.recordSubmit({ intentId, outcome: refused })
  await ledger.stop()
  const contradictions = lines.filter((line) => line.includes('"msg":"contradiction"'))
  expect(contradictions.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ intentId, outcome: 'refused' }),
  ])
})

test('a call that is refused while its prompt is reported as paid ends nothing', async () => {
  const { intentId } = await submitted()
  const reports = 'UPDATE intents SET reported_at = clock_timestamp() WHERE id = $1'
  const { status } = await meanwhile(at, [reports, [intentId]], () =>
    at.ledger.recordSubmit({ intentId, outcome: refused }),
  )
  expect(status).toBe(IntentStatus.SUBMITTED)
  expect(await outcomeOf(intentId)).toBe('refused')
})

test.each([
  ['an acknowledgement', accepted('ws_CO_2')],
  ['a refusal', refused],
])(
  '%s that is recorded while the money is posted leaves the attempt completed',
  async (_, outcome) => {
    const { intentId, token: callbackToken } = await submitted()
    const held = await hold(at, 'intents', intentId)
    const paid = pay.paid({
      intentId,
      callbackToken,
      providerRequestId: unique('ws_CO_'),
      amountMinor: 50_000n,
    })
    await held.untilWaiting(1)
    const recorded = at.ledger.recordSubmit({ intentId, outcome })
    await held.untilWaiting(2)
    await held.letGo()
    await paid
    expect(await recorded).toEqual({ status: IntentStatus.COMPLETED })
    expect(await pay.status(intentId)).toBe(IntentStatus.COMPLETED)
  },
)

test('the first recorded outcome of a call stays, with its detail', async () => {
  const { intentId } = await submitted()
  await at.ledger.recordSubmit({ intentId, outcome: unknown })
  await at.ledger.recordSubmit({ intentId, outcome: notSent })
  const { rows } = await at.database.pool.query(
    'SELECT outcome, detail, ended_at IS NOT NULL AS ended FROM wire_attempts WHERE intent_id = $1',
    [intentId],
  )
  expect(rows).toEqual([{ outcome: 'unknown', detail: 'ETIMEDOUT', ended: true }])
})

test('a late acknowledgement leaves the attempt expired and stores the provider’s id, the first one only', async () => {
  const { intentId } = await submitted()
  await letPass(at.database, 151)
  await eventually('it expired', async () => (await pay.status(intentId)) === IntentStatus.EXPIRED)
  expect(await at.ledger.recordSubmit({ intentId, outcome: accepted('ws_CO_3') })).toEqual({
    status: IntentStatus.EXPIRED,
  })
  await at.ledger.recordSubmit({ intentId, outcome: accepted('ws_CO_4') })
  const { rows } = await at.database.pool.query(
    'SELECT provider_request_id, cause FROM intents WHERE id = $1',
    [intentId],
  )
  expect(rows).toEqual([{ provider_request_id: 'ws_CO_3', cause: 'unconfirmed' }])
})

test('records each of many outcomes at the same moment, and refuses only that of an unknown intent', async () => {
  const ids: string[] = []
  while (ids.length < 12) ids.push((await submitted()).intentId)
  const given = [...ids, `pi_${'0'.repeat(24)}`]
  const answers = await Promise.allSettled(
    given.map((intentId, place) =>
      at.ledger.recordSubmit({
        intentId,
        outcome: place % 2 === 0 ? accepted(`ws_CO_m${String(place)}`) : refused,
      }),
    ),
  )
  expect(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 'refused')),
  ).toEqual([
    ...ids.map((_, place) => (place % 2 === 0 ? IntentStatus.PENDING : IntentStatus.FAILED)),
    'refused',
  ])
  const { rows } = await at.database.pool.query<{ id: string; named: string | null }>(
    'SELECT id, provider_request_id AS named FROM intents WHERE id = ANY ($1)',
    [ids],
  )
  const named = new Map(rows.map((row) => [row.id, row.named]))
  expect(ids.map((id) => named.get(id))).toEqual(
    ids.map((_, place) => (place % 2 === 0 ? `ws_CO_m${String(place)}` : null)),
  )
})

test('refuses an unknown intent, and a request without an outcome', async () => {
  const intentId = `pi_${'0'.repeat(24)}`
  await expect(at.ledger.recordSubmit({ intentId, outcome: unknown })).rejects.toMatchObject({
    reason: 'intent_not_found',
  })
  await expect(at.ledger.recordSubmit({ intentId, outcome: undefined })).rejects.toMatchObject({
    reason: 'invalid_request',
  })
})
