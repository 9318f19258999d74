import { openBatcher, inOrder, type Proposed } from './batched'
import type { Applied, Writes } from '../evidence/rules/state'

/** Work that records its calls, and answers when the test lets it. */
function noted(answers: (items: readonly number[]) => (string | undefined)[]) {
  const batches: (readonly number[])[] = []
  const open: (() => void)[] = []
  const hold = async () => new Promise<void>((go) => open.push(go))
  const ask = openBatcher<number, string>({
    async batch(items) {
      batches.push(items)
      await hold()
      return answers(items)
    },
    async single(item) {
      batches.push([item])
      await hold()
      if (item < 0) throw new Error(`no ${String(item)}`)
      return `single ${String(item)}`
    },
  })
  return {
    batches,
    ask,
    async letAllPass() {
      while (open.length > 0) {
        open.splice(0).forEach((go) => {
          go()
        })
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
      }
    },
  }
}

const named = (items: readonly number[]) => items.map((item) => `batch ${String(item)}`)

test('runs single items alone, and queues items that arrive during a batch as the next batch', async () => {
  const { batches, ask, letAllPass } = noted(named)
  const answer = Promise.all(Array.from({ length: 70 }, async (_, item) => ask(item)))
  await letAllPass()
  const all = Array.from({ length: 70 }, (_, item) => item)
  expect(batches).toEqual([[0], [1], [2], all.slice(3, 67), all.slice(67)])
  expect(await answer).toEqual(['single 0', 'single 1', ...named(all.slice(2))])
})

test('runs an item alone that its batch left out, and its failure then fails no other item', async () => {
  const { ask, letAllPass } = noted((items) =>
    items.map((item) => (item < 0 || item === 4 ? undefined : `batch ${String(item)}`)),
  )
  const answer = Promise.allSettled([1, 2, 3, 4, -5, 6].map(ask))
  await letAllPass()
  expect(await answer).toMatchObject([
    { value: 'single 1' },
    { value: 'single 2' },
    { value: 'batch 3' },
    { value: 'single 4' },
    { status: 'rejected', reason: { message: 'no -5' } },
    { value: 'batch 6' },
  ])
})

test('rejects each item of a batch that fails, and runs the next batch', async () => {
  const { ask, letAllPass } = noted((items) => {
    if (items.includes(4)) throw new Error('no connection')
    return named(items)
  })
  const answer = Promise.allSettled([0, 1, 2, 3, 4].map(ask))
  await letAllPass()
  const failed = { status: 'rejected', reason: { message: 'no connection' } }
  expect(await answer).toMatchObject([
    ...[{ value: 'single 0' }, { value: 'single 1' }, { value: 'batch 2' }, failed, failed],
  ])
  const next = Promise.all([5, 6, 7].map(ask))
  await letAllPass()
  expect(await next).toEqual(['single 5', 'single 6', 'batch 7'])
})

test('queues a thousand items at most, and runs any more alone', async () => {
  const { batches, ask, letAllPass } = noted(named)
  const answer = Promise.all(Array.from({ length: 1_010 }, async (_, item) => ask(item)))
  const alone = batches.filter(([item, ...others]) => item !== 2 && others.length === 0)
  expect(alone.map(([item]) => item)).toEqual([
    0,
    1,
    ...Array.from({ length: 7 }, (_, at) => 1_003 + at),
  ])
  await letAllPass()
  expect(await answer).toHaveLength(1_010)
})

const applied: Applied = {
  ...{ result: 'kept', status: 'pending', statusBefore: 'pending' },
  ...{ kind: 'callback', strength: 'E2', disposition: null },
}

function proposed(messageId: string, about: string[], receipts: string[] = []): Proposed {
  const writes: Writes = {
    message: {
      id: messageId,
      fact: 'paid',
      strength: 'E2',
      result: 'kept',
      receipt: null,
    },
    transfers: receipts.map((eventKey) => ({
      ...{
        eventKey,
        leg: 0,
        debit: 'float:mpesa',
        credit: 'wallet:acc_1',
        minor: 1n,
        eventAt: 0,
      },
    })),
  }
  return { about, decided: { applied, writes } }
}

const first = proposed('pm_1', ['pi_1', 'cs_1'], ['receipt:mpesa:R1'])

test.each<[string, Proposed, boolean]>([
  ['about the same intent', proposed('pm_2', ['pi_1']), false],
  ['about the same checkout', proposed('pm_2', ['pi_2', 'cs_1']), false],
  ['with the same receipt', proposed('pm_2', ['pi_2', 'cs_2'], ['receipt:mpesa:R1']), false],
  ['of the same message', proposed('pm_1', []), false],
  ['about something else', proposed('pm_2', ['pi_2', 'cs_2'], ['receipt:mpesa:R2']), true],
])(
  'a batch leaves out a command on what an earlier one writes, and takes one on something else: %s',
  (_, second, isTaken) => {
    expect(inOrder([first, second])).toEqual([first.decided, isTaken ? second.decided : undefined])
  },
)

test('a batch takes a command that writes nothing, and leaves out one that was not loaded', () => {
  const answered = { about: ['pi_1'], decided: { applied } }
  expect(inOrder([first, answered, undefined])).toEqual([first.decided, { applied }, undefined])
})
