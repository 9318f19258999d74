import { shareAnswers } from './share-answers'

let calls: { readonly key: string; readonly answer: (value: string) => void }[]
let share: (key: string) => Promise<string>
beforeEach(() => {
  calls = []
  share = shareAnswers((key) => new Promise((answer) => calls.push({ key, answer })))
})

test('asks once for callers of the same key at one time, and again after the answer', async () => {
  const answers = [share('a'), share('b'), share('a')]
  expect(calls.map(({ key }) => key)).toEqual(['a', 'b'])
  for (const { key, answer } of calls) answer(`of ${key}`)
  expect(await Promise.all(answers)).toEqual(['of a', 'of b', 'of a'])
  void share('a')
  expect(calls.map(({ key }) => key)).toEqual(['a', 'b', 'a'])
})

test('rejects all waiting callers with the error, and asks again after it', async () => {
  let tries = 0
  const failing = shareAnswers(() => Promise.reject(new Error(String((tries += 1)))))
  const both = await Promise.allSettled([failing('a'), failing('a')])
  expect(both.map((one) => one.status === 'rejected' && String(one.reason))).toEqual([
    'Error: 1',
    'Error: 1',
  ])
  await expect(failing('a')).rejects.toThrow('2')
})
