import {
  FailureCause,
  ProviderMessageKind,
  Rail,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import { ledgerOfFile } from '../ledger.harness'
import { fingerprint, unique, uniquePhone } from '../payments.harness'
import { amina, note, operators } from '../operators/operators.harness'
import { cards } from '../cards/cards.harness'
import { evidence } from '../evidence/evidence.harness'
import { hold, meanwhile } from '../locks.harness'
import { reports } from '../reports/report-closings.harness'
import { letPass } from '../time.harness'

const at = ledgerOfFile()
const by = operators(at)

/** What waits now, such as `placement by amina`. */
async function waiting(): Promise<string[]> {
  const { items } = await at.ledger.listQueue({ limit: 50 })
  return items.map(({ kind, askedBy }) =>
    [kind.replace('QUEUE_KIND_', '').toLowerCase(), askedBy].filter(Boolean).join(' by '),
  )
}

test('lists what waits for an operator, with those who asked, until it is done', async () => {
  expect(await at.ledger.listQueue({ limit: 50 })).toEqual({ items: [], totals: [] })
  await by.enroll()
  const carol = await by.another('carol')
  const [placed, refunded] = [await by.unmatched(), await by.unmatched(70_000n)]
  expect(await waiting()).toEqual(['suspense', 'suspense'])
  const owner = { $case: 'accountId', value: await at.pay.merchant() } as const
  await by.amina.askPlacement({ subject: placed, owner, note })
  const refundId = await by.requestedRefund(refunded)
  await by.amina.askFreezing({ accountId: owner.value, frozen: true, note })
  await by.amina.enrollOperator({ name: 'dalia', publicKey: Buffer.alloc(32, 1) })
  await by.brian.askRetirement({ operatorId: carol.operatorId })
  const { items, totals } = await at.ledger.listQueue({ limit: 50 })
  expect((await waiting()).sort()).toEqual([
    ...['enrollment by amina', 'freezing by amina', 'placement by amina', 'refund by amina'],
    'retirement by brian',
  ])
  expect(items.find(({ id }) => id === refundId)).toMatchObject({
    ...{ amount: { minor: 70_000n }, subject: refunded, askedById: amina.operatorId },
  })
  expect(totals).toContainEqual({ kind: 'QUEUE_KIND_REFUND', count: 1, minor: 70_000n })
  await by.agreed(refundId)
  expect(await waiting()).not.toContain('refund by amina')
})

test('lists and counts a prompt that its provider had not decided when its watch ended, until it is asked about for the last time', async () => {
  const { ledger } = await at.another({ rails: ['mpesa', 'airtel_money'], auditEverySeconds: 0.1 })
  const { checkoutId } = await at.pay.checkout()
  const { intent } = await ledger.startIntent({
    ...{ checkoutId, idempotencyKey: unique('key-'), fingerprint },
    ...{ rail: Rail.AIRTEL_MONEY, phone: uniquePhone() },
  })
  const { intentId } = await at.pay.prompted(intent)
  const isListed = async () =>
    (await at.ledger.listQueue({ limit: 50 })).items.some(({ id }) => id === intentId)
  const isCounted = (count: number) =>
    eventually(`${String(count)} undecided`, async () => {
      const text = await (await fetch(`${ledger.adminUrl}/metrics`)).text()
      return text.includes(`malipo_level{name="intents_undecided"} ${String(count)}\n`)
    })
  await letPass(at.database, 250)
  await eventually(
    'it expires',
    async () => (await at.pay.status(intentId)) === 'INTENT_STATUS_EXPIRED',
  )
  await letPass(at.database, 71 * 3_600)
  expect(await isListed()).toBe(false)
  await isCounted(0)

  expect((await ledger.beginQuery({ intentId })).query).toBeDefined()
  const { messageId } = await ledger.storeProviderMessage({
    ...{ rail: Rail.AIRTEL_MONEY, kind: ProviderMessageKind.QUERY_ANSWER, body: Buffer.from('{}') },
    ...{ subject: { $case: 'intentId', value: intentId }, sourceAddress: '', sourceKnown: true },
  })
  await ledger.applyEvidence({
    messageId,
    fact: { $case: 'undecided', value: { providerCode: 'TA' } },
  })
  expect((await at.ledger.listQueue({ limit: 50 })).items).toContainEqual(
    expect.objectContaining({
      ...{ kind: 'QUEUE_KIND_STUCK_INTENT', id: intentId, intentId, checkoutId },
      detail: 'airtel_money expired, undecided after its watch',
    }),
  )
  await isCounted(1)

  await letPass(at.database, 27 * 86_400)
  expect(await isListed()).toBe(false)
  await isCounted(0)
  await letPass(at.database, 3_600)
  // The worker may get no answer, so the last query is repeated for a day.
  for (const hours of [6, 6, 6, 6, 24]) {
    expect((await ledger.beginQuery({ intentId })).query).toBeDefined()
    await letPass(at.database, hours * 3_600)
    expect(await isListed()).toBe(false)
  }
  expect((await ledger.beginQuery({ intentId })).query).toBeUndefined()
})

/** A refund that two operators agreed to and the provider refused. */
async function failedRefund(subject: string): Promise<string> {
  const refundId = await by.requestedRefund(subject)
  await by.agreed(refundId)
  await at.ledger.beginRefund({ refundId })
  const value = { cause: FailureCause.REFUSED, providerCode: '2001' }
  await at.ledger.recordRefund({ refundId, outcome: { $case: 'refused', value } })
  return refundId
}

/** The kinds under which a receipt is listed. */
async function kindsOf(subject: string): Promise<string[]> {
  const { items } = await at.ledger.listQueue({ limit: 50 })
  return items.filter((item) => item.subject === subject).map(({ kind }) => kind)
}

test('lists a refund that failed after two agreed, with what to do, until it is asked for again', async () => {
  await by.enroll()
  const { subject } = await by.paid()
  const id = await failedRefund(subject)
  expect((await at.ledger.listQueue({ limit: 50 })).items).toContainEqual(
    expect.objectContaining({
      ...{
        kind: 'QUEUE_KIND_REFUND_FAILED',
        id,
        subject,
        amount: { minor: 50_000n, currency: 'KES' },
      },
      detail:
        'failed, code 2001: ask for it again, or if it is not to go back ask for it and withdraw that',
    }),
  )
  const again = await by.requestedRefund(subject)
  expect(await kindsOf(subject)).toEqual(['QUEUE_KIND_REFUND'])
  await by.amina.decideRefund({ refundId: again, agreed: false, note })
  expect(await kindsOf(subject)).toEqual([])
})

test('lists held money whose refund failed once, and no more as failed when the money was placed', async () => {
  await by.enroll()
  const subject = await by.unmatched()
  await failedRefund(subject)
  expect(await kindsOf(subject)).toEqual(['QUEUE_KIND_REFUND_FAILED'])
  const owner = { $case: 'accountId', value: await at.pay.merchant() } as const
  const { placementId = '' } = await by.amina.askPlacement({ subject, owner, note })
  await by.brian.decidePlacement({ placementId, agreed: true, note })
  expect(await kindsOf(subject)).toEqual([])
})

test('counts a report whose closing is asked for as that closing alone', async () => {
  await by.enroll()
  const the = reports(at)
  const [open, closing] = [await the.reported(), await the.reported()]
  const closingId = await the.requestedClosing(closing.subject)
  const { totals } = await at.ledger.listQueue({ limit: 50 })
  const counts = totals.map(({ kind, count }) => [kind, count])
  expect(counts).toContainEqual(['QUEUE_KIND_PAYMENT_REPORT', 1])
  expect(counts).toContainEqual(['QUEUE_KIND_REPORT_CLOSING', 1])
  await the.decide(closingId, true)
  await the.close(open.subject)
})

test('lists an attempt as stuck a minute after its deadline, however long its page or its prompt is open', async () => {
  const { intentId } = await cards(at).open()
  const stuck = expect.objectContaining({ kind: 'QUEUE_KIND_STUCK_INTENT', id: intentId })
  // The deadline of a card page is 930 seconds away.
  await letPass(at.database, 890)
  const listed = async () => (await at.ledger.listQueue({ limit: 50 })).items
  expect(await listed()).not.toContainEqual(stuck)

  const past = "UPDATE intents SET deadline_at = now() - interval '61 s' WHERE id = $1"
  // The ledger passes over an attempt that is locked. The lock waits for the update, so there is no moment between.
  const held = await meanwhile(at, [past, [intentId]], () => hold(at, 'intents', intentId))
  const overdue = await listed()
  await held.letGo()
  expect(overdue).toContainEqual(stuck)
})

test('lists an attempt five minutes after it was reported as paid, however long before it began', async () => {
  const attempt = await evidence(at).pending()
  await letPass(at.database, 140)
  await at.pay.paid(attempt, { sourceKnown: false })
  const stuck = expect.objectContaining({ kind: 'QUEUE_KIND_STUCK_INTENT', id: attempt.intentId })
  await letPass(at.database, 290)
  expect((await at.ledger.listQueue({ limit: 50 })).items).not.toContainEqual(stuck)
  await letPass(at.database, 20)
  expect((await at.ledger.listQueue({ limit: 50 })).items).toContainEqual(stuck)
})

test('refuses a limit of 0', async () => {
  await expect(at.ledger.listQueue({ limit: 0 })).rejects.toMatchObject({
    facts: { field: 'limit' },
  })
})
