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

test('writes the uses of a failed batch in the next second, with those noted since', async () => {
  const { batches, write } = openWriter()
  const moved = Buffer.alloc(32, 1)
  const failing = jest.fn(write).mockImplementationOnce(() => {
    uses.note(use('key_b', moved))
    return Promise.reject(new Error('no connection'))
  })
  const uses = openUseRecorder(failing, log)
  uses.note(use('key_a'))
  uses.note(use('key_b'))
  await jest.advanceTimersByTimeAsync(1_000)
  expect(batches).toEqual([])
  await jest.advanceTimersByTimeAsync(1_000)
  expect(batches).toEqual([[use('key_a'), use('key_b', moved)]])
  await uses.close()
  expect(batches).toHaveLength(1)
})

test('writes a use that is noted while an earlier one of its key is written', async () => {
  const { batches, write } = openWriter()
  const noting = jest.fn(write).mockImplementationOnce((batch) => {
    uses.note(use('key_a'))
    return write(batch)
  })
  const uses = openUseRecorder(noting, log)
  uses.note(use('key_a'))
  await jest.advanceTimersByTimeAsync(2_000)
  expect(batches).toEqual([[use('key_a')], [use('key_a')]])
  await uses.close()
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
