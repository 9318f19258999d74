import { openLog } from '@malipo/runtime/log'
import { notableEvents } from '@malipo/runtime/metrics'
import type { Use } from './rules/key'
import { openUseRecorder } from './record-uses'

const log = openLog('keys', 'silent')
const use = (keyId: string, digest = Buffer.alloc(32)): Use => ({ keyId, digest })

function openWriter() {
  const batches: (readonly Use[])[] = []
  const write = (uses: readonly Use[]) => {
    batches.push(uses)
    return Promise.resolve()
  }
  return { batches, write }
}

beforeEach(() => {
  jest.useFakeTimers()
})

afterEach(() => {
  jest.useRealTimers()
})

test('writes the uses of a second in one batch, each key once, with its latest digest', async () => {
  const { batches, write } = openWriter()
  const uses = openUseRecorder(write, log)
  const moved = Buffer.alloc(32, 1)
  uses.note(use('key_a'))
  uses.note(use('key_b'))
  uses.note(use('key_a', moved))
  expect(batches).toEqual([])
  await jest.advanceTimersByTimeAsync(1_000)
  expect(batches).toEqual([[use('key_a', moved), use('key_b')]])
  await uses.close()
})

test('makes no query when no key was used', async () => {
  const { batches, write } = openWriter()
  const uses = openUseRecorder(write, log)
  await jest.advanceTimersByTimeAsync(5_000)
  await uses.close()
  expect(batches).toEqual([])
})

test('writes the queued uses when it closes', async () => {
  const { batches, write } = openWriter()
  const uses = openUseRecorder(write, log)
  uses.note(use('key_last'))
  await uses.close()
  expect(batches).toEqual([[use('key_last')]])
})

test('queues at most 5,000 keys, and counts the dropped ones', async () => {
  const { batches, write } = openWriter()
  const uses = openUseRecorder(write, log)
  const before = await dropped()
  for (let key = 0; key < 5_003; key += 1) uses.note(use(`key_${String(key)}`))
  uses.note(use('key_0'))
  await uses.close()
  expect(batches.map(({ length }) => length)).toEqual([5_000])
  expect((await dropped()) - before).toBe(3)
})

async function dropped(): Promise<number> {
  const { values } = await notableEvents.get()
  return values.find(({ labels }) => labels.name === 'key_use_dropped')?.value ?? 0
}
