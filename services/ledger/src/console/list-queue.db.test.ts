import { ledgerOfFile } from '../ledger.harness'
import { amina, note, operators } from '../operators/operators.harness'
import { evidence } from '../evidence/evidence.harness'
import { letPass } from '../time.harness'

const at = ledgerOfFile()
const by = operators(at)

/** `placement pl_… asked by amina`, of what waits now. */
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

test('lists an attempt that was reported as paid and has not ended for five minutes, and no younger one', async () => {
  const attempt = await evidence(at).pending()
  await at.pay.paid(attempt, { sourceKnown: false })
  const stuck = expect.objectContaining({ kind: 'QUEUE_KIND_STUCK_INTENT', id: attempt.intentId })
  expect((await at.ledger.listQueue({ limit: 50 })).items).not.toContainEqual(stuck)
  await letPass(at.database, 310)
  expect((await at.ledger.listQueue({ limit: 50 })).items).toContainEqual(stuck)
})

test('refuses a list of nothing', async () => {
  await expect(at.ledger.listQueue({ limit: 0 })).rejects.toMatchObject({
    facts: { field: 'limit' },
  })
})
