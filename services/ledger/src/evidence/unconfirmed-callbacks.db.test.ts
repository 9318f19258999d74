import {
  EvidenceResult,
  IntentStatus,
  ProviderMessageKind,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { confirmed, declined, type Pending, uniqueReceipt } from '../payments.harness'
import { letPass } from '../time.harness'
import { evidence } from './evidence.harness'
import { payBill, payBillNumberKey } from '../pay-bill/pay-bill.harness'

// Callbacks as a gateway that was broken into can forge them: it has the tokens of prompts, names any address, and
// knows the answers to validations.

const small = 50_000n
const large = 14_999_900n

const at = ledgerOfFile({ payBillNumberKey, callbackUnconfirmedMaxMinor: small })
const menu = payBill(at.ledger)

async function prompt(amountMinor = large): Promise<Pending> {
  return at.pay.pending((await at.pay.checkout({ amountMinor })).checkoutId)
}

/** Every leg in the journal for a receipt. */
async function legsOf(receipt: string): Promise<{ credit: string; minor: string; at: Date }[]> {
  const { rows } = await at.database.pool.query<{ credit: string; minor: string; at: Date }>(
    'SELECT credit, minor, event_at AS at FROM transfers WHERE event_key = $1',
    [`receipt:mpesa:${receipt}`],
  )
  return rows
}

describe('a callback of a prompt', () => {
  test('above the limit credits nothing, makes a status query due and leaves the intent pending', async () => {
    const attempt = await prompt()
    const receipt = uniqueReceipt()
    expect((await at.pay.paid(attempt, { receipt })).result).toBe(EvidenceResult.KEPT)
    expect(await legsOf(receipt)).toEqual([])
    expect(await at.pay.status(attempt.intentId)).toBe(IntentStatus.PENDING)
    expect((await at.ledger.beginQuery({ intentId: attempt.intentId })).query).toBeDefined()
  })

  test('makes a status query due at once, also when one was sent a moment before', async () => {
    const attempt = await prompt()
    const { intentId } = attempt
    await letPass(at.database, 76)
    expect((await at.ledger.beginQuery({ intentId })).query).toBeDefined()
    await at.pay.paid(attempt)
    expect((await at.ledger.beginQuery({ intentId })).query).toBeDefined()
    // A second callback makes no query due, so a flood of callbacks causes no flood of queries.
    await at.pay.paid(attempt)
    expect((await at.ledger.beginQuery({ intentId })).query).toBeUndefined()
  })

  test('that is forged for a declined prompt is contradicted by the status query, and credits nothing', async () => {
    const attempt = await prompt()
    const receipt = uniqueReceipt()
    await at.pay.paid(attempt, { receipt })
    const answered = await evidence(at).fetched(attempt, declined(attempt.providerRequestId))
    expect(answered.result).toBe('EVIDENCE_RESULT_CONTRADICTION')
    await at.pay.paid(attempt, { receipt: uniqueReceipt() })
    expect(await legsOf(receipt)).toEqual([])
    expect(await at.pay.status(attempt.intentId)).toBe(IntentStatus.PENDING)
  })

  test('that is genuine completes the attempt with its receipt and time when the status query answers "paid"', async () => {
    const attempt = await prompt()
    const receipt = uniqueReceipt()
    const paidAt = new Date('2026-11-20T09:41:07Z')
    const { providerRequestId } = attempt
    const messageId = await at.pay.callback(attempt.callbackToken, { body: Buffer.from(receipt) })
    const value = { receipt, amountMinor: large, providerRequestId, paidAt }
    await at.ledger.applyEvidence({ messageId, fact: { $case: 'confirmed', value } })
    const answered = await evidence(at).fetched(attempt, confirmed({ providerRequestId }))
    expect(answered.result).toBe('EVIDENCE_RESULT_SETTLED')
    expect(await at.pay.status(attempt.intentId)).toBe(IntentStatus.COMPLETED)
    expect(await legsOf(receipt)).toEqual([
      { credit: expect.stringMatching(/^wallet:/), minor: String(large), at: paidAt },
    ])
  })

  test('settles at once when the status query has answered "paid" before it', async () => {
    const attempt = await prompt()
    const { providerRequestId } = attempt
    await evidence(at).fetched(attempt, confirmed({ providerRequestId }))
    expect((await at.pay.paid(attempt)).result).toBe(EvidenceResult.SETTLED)
  })

  test('up to the limit settles at once', async () => {
    expect((await at.pay.paid(await prompt(small))).result).toBe(EvidenceResult.SETTLED)
  })

  test('is not confirmed by an answer about another prompt', async () => {
    const attempt = await prompt()
    await at.pay.paid(attempt)
    await evidence(at).fetched(attempt, confirmed({ providerRequestId: 'ws_CO_other' }))
    expect(await at.pay.status(attempt.intentId)).toBe(IntentStatus.PENDING)
  })

  test('with another receipt beside it waits for the statement, which names the right one', async () => {
    const attempt = await prompt()
    const [forged, receipt] = [uniqueReceipt(), uniqueReceipt()]
    await at.pay.paid(attempt, { receipt: forged })
    await at.pay.paid(attempt, { receipt })
    const { providerRequestId } = attempt
    await evidence(at).fetched(attempt, confirmed({ providerRequestId }))
    expect(await at.pay.status(attempt.intentId)).toBe(IntentStatus.PENDING)
    const row = confirmed({ receipt, amountMinor: large })
    await evidence(at).fetched(attempt, row, ProviderMessageKind.STATEMENT_ROW)
    expect(await at.pay.status(attempt.intentId)).toBe(IntentStatus.COMPLETED)
    expect(await legsOf(forged)).toEqual([])
    expect(await legsOf(receipt)).toHaveLength(1)
  })

  test('that repeats a receipt which came from an unlisted address settles with the query', async () => {
    const attempt = await prompt()
    const receipt = uniqueReceipt()
    await at.pay.paid(attempt, { receipt, sourceKnown: false })
    await at.pay.paid(attempt, { receipt })
    const { providerRequestId } = attempt
    await evidence(at).fetched(attempt, confirmed({ providerRequestId }))
    expect(await at.pay.status(attempt.intentId)).toBe(IntentStatus.COMPLETED)
    expect(await legsOf(receipt)).toHaveLength(1)
  })

  test('from an unlisted address settles by the query about the very prompt that it named', async () => {
    const attempt = await prompt()
    const receipt = uniqueReceipt()
    const { providerRequestId } = attempt
    await at.pay.paid(attempt, { receipt, sourceKnown: false })
    await at.pay.paid(attempt, { amountMinor: large + 100n })
    const answered = await evidence(at).fetched(attempt, confirmed({ providerRequestId }))
    expect(answered.result).toBe('EVIDENCE_RESULT_SETTLED')
    expect(await legsOf(receipt)).toHaveLength(1)
  })

  test('from an unlisted address that names another prompt waits for the statement', async () => {
    const attempt = await prompt()
    const { providerRequestId } = attempt
    await at.pay.paid(attempt, { sourceKnown: false, providerRequestId: 'ws_CO_other' })
    await at.pay.paid(attempt, { providerRequestId: 'ws_CO_other' })
    const answered = await evidence(at).fetched(attempt, confirmed({ providerRequestId }))
    expect(answered.result).toBe('EVIDENCE_RESULT_KEPT')
  })

  test('settles nothing when a second callback names another receipt, however often the query answers "paid"', async () => {
    const attempt = await prompt()
    await at.pay.paid(attempt)
    await at.pay.paid(attempt)
    const { providerRequestId } = attempt
    for (let times = 0; times < 3; times += 1) {
      await evidence(at).fetched(attempt, confirmed({ providerRequestId }))
    }
    expect(await at.pay.status(attempt.intentId)).toBe(IntentStatus.PENDING)
  })

  test('that names a receipt of another payment does not settle by that receipt', async () => {
    const [other, attempt] = [await prompt(small), await prompt()]
    const receipt = uniqueReceipt()
    await at.pay.paid(other, { receipt })
    await at.pay.paid(attempt, { receipt })
    const { providerRequestId } = attempt
    await evidence(at).fetched(attempt, confirmed({ providerRequestId }))
    expect(await at.pay.status(attempt.intentId)).toBe(IntentStatus.PENDING)
    expect(await legsOf(receipt)).toMatchObject([{ minor: String(small) }])
  })

  test('adds nothing to a prompt that is paid, neither to its merchant nor to suspense', async () => {
    const attempt = await prompt()
    const { providerRequestId } = attempt
    await at.pay.paid(attempt)
    await evidence(at).fetched(attempt, confirmed({ providerRequestId }))
    const forged = uniqueReceipt()
    expect((await at.pay.paid(attempt, { receipt: forged })).result).toBe(EvidenceResult.KEPT)
    await evidence(at).fetched(attempt, confirmed({ providerRequestId }))
    expect(await legsOf(forged)).toEqual([])
  })

  test('above the limit settles nothing among thirty callbacks at the same moment, and the small ones settle', async () => {
    const sizes = Array.from({ length: 30 }, (_, place) => (place % 3 === 0 ? large : small))
    const attempts = await Promise.all(sizes.map((size) => prompt(size)))
    const answers = await Promise.all(attempts.map((attempt) => at.pay.paid(attempt)))
    expect(answers.map(({ result }) => result)).toEqual(
      sizes.map((size) => (size === large ? EvidenceResult.KEPT : EvidenceResult.SETTLED)),
    )
  })

  test('above the limit for a prompt to a handle settles it only when the status query confirms it', async () => {
    const { intent } = await at.pay.startHandle(await at.pay.merchant(), { amountMinor: large })
    const attempt = await at.pay.prompted(intent)
    expect((await at.pay.paid(attempt)).result).toBe(EvidenceResult.KEPT)
    const { providerRequestId } = attempt
    await evidence(at).fetched(attempt, confirmed({ providerRequestId }))
    expect(await at.pay.status(attempt.intentId)).toBe(IntentStatus.COMPLETED)
  })
})

describe('a Pay Bill confirmation that brings our validation answer back', () => {
  async function order(amountMinor: bigint) {
    const { checkoutId } = await at.pay.checkout({ amountMinor })
    return { amountMinor, accountNumber: await menu.number(checkoutId), receipt: uniqueReceipt() }
  }
  const statement = { kind: 'PROVIDER_MESSAGE_KIND_STATEMENT_ROW' } as const

  test('above the limit is stored as a report, and the statement completes the checkout', async () => {
    const payment = await order(large)
    expect((await menu.paid(payment)).result).toBe(EvidenceResult.KEPT)
    expect(await legsOf(payment.receipt)).toEqual([])
    expect((await menu.paid({ ...payment, ...statement })).result).toBe(EvidenceResult.SETTLED)
    expect(await legsOf(payment.receipt)).toHaveLength(1)
  })

  test('up to the limit settles at once', async () => {
    expect((await menu.paid(await order(small))).result).toBe(EvidenceResult.SETTLED)
  })

  test('settles at once up to the limit for confirmations without the answer, where that is higher', async () => {
    const { ledger } = await at.another({
      ...{ payBillNumberKey, callbackUnconfirmedMaxMinor: 0n },
      payBillUnconfirmedMaxMinor: small,
    })
    const lenient = payBill(ledger)
    expect((await lenient.paid(await order(small))).result).toBe(EvidenceResult.SETTLED)
    expect((await lenient.paid(await order(small + 100n))).result).toBe(EvidenceResult.KEPT)
  })
})
