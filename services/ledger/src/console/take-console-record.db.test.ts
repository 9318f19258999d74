import { ledgerOfFile } from '../ledger.harness'
import { body, consoleRecords } from './console-records.harness'

const at = ledgerOfFile()
const records = consoleRecords(at)

test('gives a record to one of two that take it at the same moment, and to none after that', async () => {
  const token = await records.keep()
  const taken = await Promise.all([records.take(token), records.take(token)])
  expect(taken.filter((one) => one !== undefined)).toEqual([body])
  expect(await records.read(token)).toBeUndefined()
})
