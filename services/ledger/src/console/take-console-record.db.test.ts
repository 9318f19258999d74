import { openLedger, type TestLedger } from '../ledger.harness'
import { body, consoleRecords } from './console-records.harness'

let at: TestLedger
let records: ReturnType<typeof consoleRecords>
beforeAll(async () => {
  at = await openLedger()
  records = consoleRecords(at)
})
afterAll(() => at.close())

test('gives a record that is taken to one of two, and to none after that', async () => {
  const token = await records.keep()
  const taken = await Promise.all([records.take(token), records.take(token)])
  expect(taken.filter((one) => one !== undefined)).toEqual([body])
  expect(await records.read(token)).toBeUndefined()
})
