import { openLedger, type TestLedger } from '../ledger.harness'
import { payBillNumberKey } from './pay-bill.harness'
import { statementRows } from './statement-rows.harness'

let at: TestLedger
let statement: ReturnType<typeof statementRows>

beforeAll(async () => {
  at = await openLedger({ payBillNumberKey })
  statement = statementRows(at)
})

afterAll(() => at.close())

test('a row is kept once, however often it is shown, and says when nothing is left to do about it', async () => {
  const { said } = await statement.payment()
  const [row, same] = await statement.stored([said, said])
  expect(same).toEqual(row)
  expect(await statement.stored([said])).toEqual([{ messageId: row?.messageId, applied: false }])
  await statement.shown([said])
  expect(await statement.stored([said])).toEqual([{ messageId: row?.messageId, applied: true }])
  const { rows } = await at.database.pool.query(
    'SELECT deliveries, kind, next_action_at FROM provider_messages WHERE id = $1',
    [row?.messageId],
  )
  expect(rows).toEqual([{ deliveries: 1, kind: 'statement_row', next_action_at: null }])
})

test('a row that is stored and not applied is handed out to be read', async () => {
  const { said } = await statement.payment()
  const [row] = await statement.stored([said])
  await at.database.pool.query(
    "UPDATE provider_messages SET next_action_at = now() - interval '1 hour' WHERE id = $1",
    [row?.messageId],
  )
  const { due } = await at.ledger.claimDue({ limit: 10 })
  expect(due).toContainEqual({ work: { $case: 'readMessageId', value: row?.messageId } })
  await statement.shown([said])
})

test('refuses more rows than it takes, and one that is too long', async () => {
  const refused = { reason: 'invalid_request' }
  const bodies = Array.from({ length: 1_001 }, (_, n) => Buffer.from(String(n)))
  await expect(at.ledger.storeStatementRows({ bodies })).rejects.toMatchObject(refused)
  const long = [Buffer.alloc(8_193)]
  await expect(at.ledger.storeStatementRows({ bodies: long })).rejects.toMatchObject(refused)
})
