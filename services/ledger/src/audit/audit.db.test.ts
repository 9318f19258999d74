import { openLedger, type TestLedger } from '../ledger.harness'
import { past } from '../time.harness'

let at: TestLedger

beforeAll(async () => {
  at = await openLedger()
})

afterAll(async () => {
  await at.ledger.stop()
  await at.database.drop()
})

async function broken(sinceSeconds?: number): Promise<object[]> {
  const { findings } = await at.ledger.audit({ sinceSeconds })
  expect(findings).toHaveLength(31)
  return findings.filter(({ rows }) => rows !== 0)
}

test('lists each check, with no findings when the ledger is sound', async () => {
  const { checkoutId } = await at.pay.checkout()
  await at.pay.paid(await at.pay.pending(checkoutId))
  expect(await broken()).toEqual([])
  expect((await at.ledger.audit({ sinceSeconds: 60 })).findings[0]).toEqual({
    number: 1,
    statement: 'every transfer moves money between two accounts of its currency',
    rows: 0,
    examples: [],
  })
})

test('reports a broken invariant with examples, only as far back as the caller asks', async () => {
  const { checkoutId } = await at.pay.checkout()
  await past(at.database, async (query) => {
    await query(
      `UPDATE checkouts SET amount_minor = 99, created_at = created_at - interval '1 day',
        expires_at = expires_at - interval '1 day' WHERE id = $1`,
      [checkoutId],
    )
  })
  expect(await broken()).toMatchObject([{ number: 30, rows: 1, examples: [checkoutId] }])
  expect(await broken(3_600)).toEqual([])
})
