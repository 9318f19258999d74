import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { systemClock } from '@malipo/runtime/clock'
import { newestDetachable } from '@malipo/stack/retention/retention'
import { openLedger, type TestLedger } from '../ledger.harness'
import { note, operators } from '../operators/operators.harness'
import { letPass, past } from '../time.harness'
import { detaching, longAgoSeconds } from './detached.harness'

// A month on its way to a file: what stops it, what is refused, and what of a file is found to be wrong.

let at: TestLedger
let files: ReturnType<typeof detaching>
let month: string
let intentIds: string[]

async function payOnce(): Promise<string> {
  const attempt = await at.pay.pending((await at.pay.checkout()).checkoutId)
  await at.pay.paid(attempt)
  return attempt.intentId
}

/** The number of steps, and of callback bodies, that one payment stores. */
const perPayment = { steps: 5, bodies: 1 }
const all = { steps: 2 * perPayment.steps, bodies: 2 * perPayment.bodies }
const none = { steps: 0, bodies: 0 }

beforeEach(async () => {
  at = await openLedger()
  files = detaching(at.database)
  intentIds = [await payOnce(), await payOnce()]
  await letPass(at.database, longAgoSeconds)
  month = await files.month()
})

afterEach(async () => {
  await at.close()
  files.end()
})

/** Counts the steps and bodies in the file of the month. */
function inFile() {
  const lines = gunzipSync(readFileSync(files.file(month)))
    .toString()
    .split('\n')
  const count = (kind: string) => lines.filter((line) => line.startsWith(`{"${kind}"`)).length
  return { steps: count('step'), bodies: count('body') }
}

/** Detaches the month, and ends as in a crash once a line of the log matches. */
async function crash(after: RegExp, detached = month): Promise<void> {
  const onProgress = (line: string) => {
    if (after.test(line)) throw new Error('the machine stopped')
  }
  await expect(files.detach(detached, { onProgress })).rejects.toThrow('the machine stopped')
}

test.each([
  ['before the file is whole', /^Writing/, all],
  ['between the file and its record', /^Wrote/, all],
  ['between the record and the first row', /^Recorded/, all],
  ['in the middle of the rows', /^Removed 10$/, { ...none, bodies: 2 }],
  ['after the last row', /^Removed 12$/, none],
])('a crash %s loses nothing, and the next run completes the month', async (_, line, left) => {
  await crash(line)
  expect(await files.left(intentIds)).toEqual(left)
  await files.detach(month)
  expect(await files.left(intentIds)).toEqual(none)
  expect(inFile()).toEqual(all)
  expect(await files.broken()).toEqual({})
})

test('the audit finds a month that was begun and not completed, and no other is detached before it is', async () => {
  await crash(/^Recorded/)
  expect((await files.broken())[5]).toEqual([`${month} was begun and is not done`])
  await expect(files.detach(after(month))).rejects.toThrow('is not done: detach it first')
})

test('a run without a month completes the one that was begun first, and then the newest', async () => {
  await crash(/^Recorded/)
  const newest = newestDetachable(new Date(systemClock.now()))
  expect(newest > month).toBe(true)
  expect(await files.detachNewest()).toEqual([files.file(month), files.file(newest)])
  expect(await files.left(intentIds)).toEqual(none)
  expect(await files.broken()).toEqual({})
})

test('without a month, a run finishes the newest month that was begun, once', async () => {
  const newest = newestDetachable(new Date(systemClock.now()))
  await crash(/^Recorded/, newest)
  expect(await files.detachNewest()).toEqual([files.file(newest)])
})

test('nothing is removed while the file is missing or is another one, and everything once it is back', async () => {
  await crash(/^Recorded/)
  const file = files.file(month)
  renameSync(file, `${file}.elsewhere`)
  await expect(files.detach(month)).rejects.toThrow('is missing: nothing is removed')
  writeFileSync(file, changed(readFileSync(`${file}.elsewhere`)))
  await expect(files.detach(month)).rejects.toThrow('is not the file that was recorded')
  expect(await files.left(intentIds)).toEqual(all)
  renameSync(`${file}.elsewhere`, file)
  await files.detach(month)
  expect(await files.left(intentIds)).toEqual(none)
})

test('a row that differs from its line in the file stays in the database, with its batch', async () => {
  await crash(/^Recorded/)
  await past(at.database, async (query) => {
    await query(
      "UPDATE intent_steps SET event = 'refused' WHERE intent_id = $1 AND event = 'submitted'",
      [intentIds[0]],
    )
  })
  await expect(files.detach(month)).rejects.toThrow('1 rows are not as the file says')
  expect(await files.left(intentIds)).toEqual(all)
  await past(at.database, async (query) => {
    await query("UPDATE intent_steps SET event = 'submitted' WHERE event = 'refused'")
  })
  await files.detach(month)
})

test('a month is detached once, in order, after 90 days, and from the ledger of its country', async () => {
  await payOnce()
  const young = await files.month(0)
  await expect(files.detach(young)).rejects.toThrow(/can be detached from .* on: 90 days are kept/)
  await expect(files.detach('2026-13')).rejects.toThrow('Which month?')
  await expect(files.detach(month, { country: 'ug' })).rejects.toThrow('ledger of ug')
  await files.detach(month)
  await expect(files.detach(month)).rejects.toThrow('was detached')
  await expect(files.detach('2020-01')).rejects.toThrow('goes with the next month')
})

test.each([
  [
    'with one byte changed',
    () => {
      writeFileSync(files.file(month), changed(readFileSync(files.file(month))))
    },
    'was changed',
  ],
  [
    'that is missing',
    () => {
      renameSync(files.file(month), `${files.file(month)}.gone`)
    },
    'is missing',
  ],
])('the audit finds a file %s', async (_, spoil, problem) => {
  await files.detach(month)
  expect(await files.broken()).toEqual({})
  spoil()
  expect(await files.broken()).toEqual({ 5: [`${month} ${problem}`], 17: undefined })
})

test('the audit finds a file of which the database has no record', async () => {
  await files.detach(month)
  await past(at.database, async (query) => {
    await query('CREATE TABLE lost AS SELECT * FROM detached_months; DELETE FROM detached_months')
  })
  expect((await files.broken())[5]).toEqual([`${month} is not recorded`])
  await past(at.database, async (query) => {
    await query('INSERT INTO detached_months SELECT * FROM lost; DROP TABLE lost')
  })
})

test('the file of the next month also takes what the month before has left, and follows its file', async () => {
  const by = operators(at)
  await by.enroll()
  const refunded = await by.paid()
  const refundId = await by.requestedRefund(refunded.subject)
  await letPass(at.database, longAgoSeconds - 1)
  await files.detach(month)
  expect(await files.left(intentIds)).toEqual(none)
  expect(await files.left([refunded.intentId])).toEqual(perPayment)
  await by.brian.decideRefund({ refundId, agreed: false, note })
  await files.detach(after(month))
  expect(await files.left([refunded.intentId])).toEqual(none)
  expect(await files.broken()).toEqual({})
})

/** The month that follows, such as `2026-12` for `2026-11`. */
function after(one: string): string {
  const [year = 0, number = 0] = one.split('-').map(Number)
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7)
}

/** Returns the bytes with one bit flipped, in the middle. */
function changed(bytes: Buffer): Buffer {
  const other = Buffer.from(bytes)
  const middle = Math.floor(other.length / 2)
  other[middle] = (other[middle] ?? 0) ^ 1
  return other
}
