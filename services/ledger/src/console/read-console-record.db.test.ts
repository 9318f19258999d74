import { ConsoleRecordKind } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { unique } from '../payments.harness'
import { letPass } from '../time.harness'
import { body, consoleRecords } from './console-records.harness'

const at = ledgerOfFile()
const records = consoleRecords(at)

test('gives a record to the console that has its token, of its own kind alone', async () => {
  const token = await records.keep()
  expect(await records.read(token)).toEqual(body)
  expect(await records.read(token, ConsoleRecordKind.LOGIN)).toBeUndefined()
  expect(await records.read(unique('t'))).toBeUndefined()
})

test('ends a record that is idle, and one that is read after its whole life', async () => {
  const [idle, used] = [await records.keep(), await records.keep()]
  for (let minutes = 0; minutes < 480; minutes += 29) {
    expect(await records.read(used)).toEqual(body)
    await letPass(at.database, 29 * 60)
  }
  expect(await records.read(idle)).toBeUndefined()
  expect(await records.read(used)).toBeUndefined()
})

test('refuses to read a record without a kind', async () => {
  const unspecified = ConsoleRecordKind.UNSPECIFIED
  await expect(records.read('t', unspecified)).rejects.toMatchObject({ reason: 'invalid_request' })
})
