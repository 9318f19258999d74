import { Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { openLedger, type TestLedger } from '../ledger.harness'

let at: TestLedger

beforeAll(async () => {
  at = await openLedger()
})

afterAll(() => at.close())

const from = new Date('2026-11-20T11:00:00Z')
const until = new Date('2026-11-20T11:15:00Z')

test('keeps which times of whose statement were read', async () => {
  await at.ledger.recordStatementRead({ rail: Rail.MPESA, from, until })
  const { rows } = await at.database.pool.query(
    'SELECT provider, from_at, until_at FROM statement_reads',
  )
  expect(rows).toEqual([{ provider: 'mpesa', from_at: from, until_at: until }])
})

test.each([
  ['no rail', { rail: Rail.UNSPECIFIED }],
  ['no end', { until: undefined }],
  ['an end before the beginning', { from: until, until: from }],
])('refuses %s', async (_, changes) => {
  const request = { rail: Rail.MPESA, from, until, ...changes }
  await expect(at.ledger.recordStatementRead(request)).rejects.toMatchObject({
    reason: 'invalid_request',
  })
})
