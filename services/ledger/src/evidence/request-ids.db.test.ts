import type { RecordSubmitRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { meanwhile } from '../locks.harness'
import { confirmed, type Pending, present, unique, uniqueReceipt } from '../payments.harness'
import { evidence } from './evidence.harness'

// The provider's answer to our call was lost: a callback that passes every check (E3) gives the id of the prompt, and a
// query by that id settles.

const large = 14_999_900n
const at = ledgerOfFile({ callbackUnconfirmedMaxMinor: 0n })
const { fetched } = evidence(at)
const unknown: RecordSubmitRequest['outcome'] = { $case: 'unknown', value: { detail: 'ETIMEDOUT' } }

/** Sends a prompt and loses the provider's answer. Returns the provider's id of it, which the ledger does not know. */
async function unanswered(amountMinor = large): Promise<Pending> {
  const { intent } = await at.pay.start((await at.pay.checkout({ amountMinor })).checkoutId)
  const { intentId, amount } = present(intent)
  const { prompt } = await at.ledger.beginSubmit({ intentId })
  await at.ledger.recordSubmit({ intentId, outcome: unknown })
  const { callbackToken } = present(prompt)
  const providerRequestId = unique('ws_CO_')
  return { intentId, callbackToken, providerRequestId, amountMinor: present(amount).minor }
}

const answeredPaid = ({ providerRequestId }: Pending, attempt: Pending) =>
  fetched(attempt, confirmed({ providerRequestId }))

const answered = ({ intentId }: Pending, { providerRequestId }: Pending) =>
  at.ledger.recordSubmit({ intentId, outcome: { $case: 'accepted', value: { providerRequestId } } })

async function queryOf({ intentId }: Pending) {
  const { query } = await at.ledger.beginQuery({ intentId })
  return query && [query.providerRequestId, query.requestIdFromCallback]
}

async function receiptsOf({ intentId }: Pending): Promise<unknown[]> {
  const { rows } = await at.database.pool.query(
    `SELECT i.receipt, t.minor FROM intents i JOIN transfers t ON t.event_key = 'receipt:mpesa:' || i.receipt
     WHERE i.id = $1`,
    [intentId],
  )
  return rows
}

test('row 5: an attempt completes once, by a query about the prompt that a callback has named, with the receipt of the callback', async () => {
  const attempt = await unanswered()
  const receipt = uniqueReceipt()
  expect((await at.pay.paid(attempt, { receipt })).result).toBe('EVIDENCE_RESULT_KEPT')
  expect(await queryOf(attempt)).toEqual([attempt.providerRequestId, true])
  expect((await answeredPaid(attempt, attempt)).result).toBe('EVIDENCE_RESULT_SETTLED')
  expect((await answeredPaid(attempt, attempt)).result).toBe('EVIDENCE_RESULT_KEPT')
  expect(await receiptsOf(attempt)).toEqual([{ receipt, minor: String(large) }])
})

test('the id in a callback that passes every check counts, whatever a callback from an unlisted address has named before', async () => {
  const attempt = await unanswered()
  const receipt = uniqueReceipt()
  const weak = { ...attempt, providerRequestId: unique('ws_CO_') }
  await at.pay.paid(weak, { receipt, sourceKnown: false })
  await at.pay.paid(attempt, { receipt })
  expect((await answeredPaid(attempt, attempt)).result).toBe('EVIDENCE_RESULT_SETTLED')
  expect(await receiptsOf(attempt)).toEqual([{ receipt, minor: String(large) }])
})

test('a forged callback gives its intent no prompt id that the provider’s answer gave a paid intent, and settles nothing', async () => {
  const paid = await at.pay.pending((await at.pay.checkout({ amountMinor: 100n })).checkoutId)
  await at.pay.paid(paid)
  expect((await answeredPaid(paid, paid)).result).toBe('EVIDENCE_RESULT_SETTLED')
  const attempt = await unanswered()
  await at.pay.paid({ ...attempt, providerRequestId: paid.providerRequestId })
  expect(await queryOf(attempt)).toEqual([undefined, false])
  await answeredPaid(paid, attempt)
  expect(await receiptsOf(attempt)).toEqual([])
})

test('a forged callback gives its intent no prompt id that another callback gave a paid intent, and settles nothing', async () => {
  const [paid, attempt] = [await unanswered(100n), await unanswered()]
  await at.pay.paid(paid)
  await at.pay.paid({ ...attempt, providerRequestId: paid.providerRequestId })
  expect(await queryOf(attempt)).toEqual([undefined, false])
  expect((await answeredPaid(paid, paid)).result).toBe('EVIDENCE_RESULT_SETTLED')
})

test('two calls that the provider answers with one prompt id are both recorded, and no callback gives that id to a third intent', async () => {
  const [first, second, third] = [await unanswered(), await unanswered(), await unanswered()]
  await answered(first, first)
  expect((await answered(second, first)).status).toBe('INTENT_STATUS_PENDING')
  await at.pay.paid({ ...third, providerRequestId: first.providerRequestId })
  expect(await queryOf(third)).toEqual([undefined, false])
})

test('the id in a late answer to our own call replaces the one that a callback gave', async () => {
  const attempt = await unanswered()
  const forged = unique('ws_CO_')
  await at.pay.paid({ ...attempt, providerRequestId: forged })
  await answered(attempt, attempt)
  expect(await queryOf(attempt)).toEqual([attempt.providerRequestId, false])
  expect((await answeredPaid(attempt, attempt)).result).toBe('EVIDENCE_RESULT_KEPT')
  expect(await receiptsOf(attempt)).toEqual([])
})

test('a prompt id that a late answer gives to another intent settles only the other intent', async () => {
  const [paid, attempt] = [await unanswered(100n), await unanswered()]
  await at.pay.paid({ ...attempt, providerRequestId: paid.providerRequestId })
  await answered(paid, paid)
  await answeredPaid(paid, attempt)
  expect(await receiptsOf(attempt)).toEqual([])
  await at.pay.paid(paid)
  expect((await answeredPaid(paid, paid)).result).toBe('EVIDENCE_RESULT_SETTLED')
})

test('when two callbacks name one prompt id for two intents at the same moment, one intent gets it', async () => {
  const [first, second] = [await unanswered(), await unanswered()]
  const claims = 'UPDATE intents SET callback_request_id = $2 WHERE id = $1'
  const { result } = await meanwhile(at, [claims, [first.intentId, second.providerRequestId]], () =>
    at.pay.paid(second),
  )
  expect(result).toBe('EVIDENCE_RESULT_KEPT')
  expect(await queryOf(second)).toEqual([undefined, false])
  const { rows } = await at.database.pool.query(
    'SELECT id FROM intents WHERE callback_request_id = $1',
    [second.providerRequestId],
  )
  expect(rows).toEqual([{ id: first.intentId }])
})

test('when twenty callbacks name one prompt id for twenty intents at the same moment, one intent gets it', async () => {
  const providerRequestId = unique('ws_CO_')
  const attempts = await Promise.all(Array.from({ length: 20 }, async () => unanswered()))
  await Promise.all(attempts.map((attempt) => at.pay.paid({ ...attempt, providerRequestId })))
  const { rowCount } = await at.database.pool.query(
    'SELECT FROM intents WHERE callback_request_id = $1',
    [providerRequestId],
  )
  expect(rowCount).toBe(1)
})
