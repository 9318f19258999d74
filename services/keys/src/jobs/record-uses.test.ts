import { openLog } from '@malipo/runtime/log'
import { happenings } from '@malipo/runtime/metrics'
import type { Use } from '../domain/key'
import { openUseRecorder } from './record-uses'

const log = openLog('keys', 'silent')
const use = (keyId: string, digest = Buffer.alloc(32)): Use => ({ keyId, digest })

/** Gives every batch time to be written when it says so, like a database that is slow. */
function slowWriter() {
  const batches: (readonly Use[])[] = []
  const pending: (() => void)[] = []
  return {
    batches,
    write: (uses: readonly Use[]) =>
      new Promise<void>((resolve) => {
        batches.push(uses)
        pending.push(resolve)
      }),
    finish: () => pending.shift()?.(),
  }
}

beforeEach(() => {
  jest.useFakeTimers()
})

afterEach(() => {
  jest.useRealTimers()
})

test('writes what a second brought in one batch, each key once, with its latest digest', async () => {
  const { batches, write, finish } = slowWriter()
  const uses = openUseRecorder(write, log)
  const moved = Buffer.alloc(32, 1)
  uses.note(use('key_a'))
  uses.note(use('key_b'))
  uses.note(use('key_a', moved))
  expect(batches).toEqual([])
  await jest.advanceTimersByTimeAsync(1_000)
  expect(batches).toEqual([[use('key_a', moved), use('key_b')]])
  finish()
  await uses.close()
})

test('asks nothing of the database when no key was used', async () => {
  const { batches, write } = slowWriter()
  const uses = openUseRecorder(write, log)
  await jest.advanceTimersByTimeAsync(5_000)
  await uses.close()
  expect(batches).toEqual([])
})

test('has one batch on its way at a time, however slow the database is', async () => {
  const { batches, write, finish } = slowWriter()
  const uses = openUseRecorder(write, log)
  uses.note(use('key_a'))
  await jest.advanceTimersByTimeAsync(1_000)
  uses.note(use('key_b'))
  await jest.advanceTimersByTimeAsync(5_000)
  expect(batches).toHaveLength(1)
  finish()
  await jest.advanceTimersByTimeAsync(0)
  expect(batches[1]).toEqual([use('key_b')])
  finish()
  await uses.close()
})

test('writes what waits when it closes', async () => {
  const written: string[] = []
  const uses = openUseRecorder((batch) => {
    written.push(...batch.map(({ keyId }) => keyId))
    return Promise.resolve()
  }, log)
  uses.note(use('key_last'))
  await uses.close()
  expect(written).toEqual(['key_last'])
})

test('goes on after a batch that could not be written', async () => {
  const tried: string[] = []
  const uses = openUseRecorder((batch) => {
    tried.push(...batch.map(({ keyId }) => keyId))
    return tried.length === 1 ? Promise.reject(new Error('away')) : Promise.resolve()
  }, log)
  uses.note(use('key_lost'))
  await jest.advanceTimersByTimeAsync(1_000)
  uses.note(use('key_next'))
  await uses.close()
  expect(tried).toEqual(['key_lost', 'key_next'])
})

test('holds at most 5,000 keys, and counts what it drops', async () => {
  const batches: number[] = []
  const uses = openUseRecorder((batch) => {
    batches.push(batch.length)
    return Promise.resolve()
  }, log)
  const before = await dropped()
  for (let key = 0; key < 5_003; key += 1) uses.note(use(`key_${String(key)}`))
  uses.note(use('key_0'))
  await uses.close()
  expect(batches).toEqual([5_000])
  expect((await dropped()) - before).toBe(3)
})

async function dropped(): Promise<number> {
  const { values } = await happenings.get()
  return values.find(({ labels }) => labels.name === 'key_use_dropped')?.value ?? 0
}
