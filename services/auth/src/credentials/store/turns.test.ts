import { openTurns } from './turns'

/** Work that ends when the test lets it. */
function workshop() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name)
      ends.set(name, () => {
        resolve(name)
      })
    })
  return { begun, work, end: (name: string) => ends.get(name)?.() }
}

test('runs two tasks at once, and the others in the order in which they came', async () => {
  const { begun, work, end } = workshop()
  const takeTurn = openTurns({ runningMax: 2, waitingMax: 9 })
  const all = ['a', 'b', 'c', 'd'].map((name) => takeTurn(work(name)))
  await Promise.resolve()
  expect(begun).toEqual(['a', 'b'])
  end('b')
  expect(await all[1]).toBe('b')
  expect(begun).toEqual(['a', 'b', 'c'])
  // The first waiting task has taken the place of b, so a new task is last.
  all.push(takeTurn(work('e')))
  await Promise.resolve()
  expect(begun).toEqual(['a', 'b', 'c'])
  for (const name of ['a', 'c']) end(name)
  await Promise.all([all[0], all[2]])
  for (const name of ['d', 'e']) end(name)
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('starts the next task after a task that failed', async () => {
  const takeTurn = openTurns({ runningMax: 1, waitingMax: 9 })
  await expect(takeTurn(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await takeTurn(() => Promise.resolve('next'))).toBe('next')
})

test('refuses a task when too many tasks wait', async () => {
  const { work, end } = workshop()
  const takeTurn = openTurns({ runningMax: 1, waitingMax: 1 })
  const first = takeTurn(work('first'))
  const second = takeTurn(work('second'))
  await expect(takeTurn(work('third'))).rejects.toMatchObject({ reason: 'unavailable' })
  end('first')
  await first
  const fourth = takeTurn(work('fourth'))
  end('second')
  await second
  end('fourth')
  expect(await fourth).toBe('fourth')
})
