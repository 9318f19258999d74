import { openLog } from '@malipo/runtime/log'
import { Fault } from '@malipo/kernel/errors'
import type { Due } from '@malipo/ledger-client/claims'
import { startSweep, type Sweep } from './sweep'

const log = openLog('test', 'silent')
const everyMs = 1_000

let claims: number[]
let waiting: Due[]
let running: { work: Due; end: (ended?: Error | string) => void }[]
let sweep: Sweep

const begin = (concurrency: number, claimDue = claimWaiting) => {
  sweep = startSweep({
    ledger: { claimDue },
    jobs: { run: runUntilEnded },
    log,
    everyMs,
    concurrency,
  })
}

beforeEach(() => {
  jest.useFakeTimers()
  claims = []
  waiting = []
  running = []
})

afterEach(() => {
  sweep.stop()
  jest.useRealTimers()
})

test('runs the due jobs at every tick', async () => {
  begin(4)
  waiting.push(due('a'))
  await tick()
  expect(running.map(({ work }) => work.id)).toEqual(['a'])
  waiting.push(due('b'))
  await tick()
  expect(running.map(({ work }) => work.id)).toEqual(['a', 'b'])
})

test('claims no more jobs than it has room for, and none without room', async () => {
  begin(2)
  waiting.push(due('a'), due('b'), due('c'))
  await tick()
  await tick()
  expect(claims).toEqual([2])
  expect(running.map(({ work }) => work.id)).toEqual(['a', 'b'])
})

test('works off a backlog without waiting for the next tick', async () => {
  begin(2)
  waiting.push(due('a'), due('b'), due('c'))
  await tick()
  running[0]?.end()
  await settle()
  expect(running.map(({ work }) => work.id)).toEqual(['a', 'b', 'c'])
})

test('waits for the next tick when the jobs of a backlog are postponed', async () => {
  begin(2)
  waiting.push(due('a'), due('b'), due('c'), due('d'))
  await tick()
  for (const { end } of running) end('postponed')
  await settle()
  expect(claims).toEqual([2])
  await tick()
  expect(claims).toEqual([2, 2])
})

test('claims nothing while it runs more jobs than it has room for, and claims at once when there is room', async () => {
  const handedOut = [[due('a'), due('b'), due('refund')], [due('c')]]
  begin(2, (limit) => {
    claims.push(limit)
    return Promise.resolve(handedOut.shift() ?? [])
  })
  await tick()
  await tick()
  expect(claims).toEqual([2])
  running[0]?.end()
  running[1]?.end()
  await settle()
  expect(running.map(({ work }) => work.id)).toEqual(['a', 'b', 'refund', 'c'])
})

test('a job that is handed out again while it runs takes no second place', async () => {
  begin(2)
  waiting.push(due('a'))
  await tick()
  waiting.push(due('a'))
  await tick()
  waiting.push(due('b'))
  await tick()
  expect(running.map(({ work }) => work.id)).toEqual(['a', 'b'])
  expect(claims).toEqual([2, 1, 1])
})

test('runs only one claim at a time, however long the answer takes', async () => {
  begin(2, (limit) => {
    claims.push(limit)
    return new Promise(() => undefined)
  })
  await tick()
  await tick()
  expect(claims).toEqual([2])
})

test('continues after an outage of the ledger', async () => {
  let isAway = true
  begin(2, (limit) =>
    isAway ? Promise.reject(new Fault('ledger_unavailable')) : claimWaiting(limit),
  )
  waiting.push(due('a'))
  await tick()
  isAway = false
  await tick()
  expect(running.map(({ work }) => work.id)).toEqual(['a'])
})

test('continues after a failed job, and frees its place', async () => {
  begin(1)
  waiting.push(due('a'))
  await tick()
  running[0]?.end(new Error('failed'))
  await settle()
  waiting.push(due('b'))
  await tick()
  expect(running.map(({ work }) => work.id)).toEqual(['a', 'b'])
})

test('makes one early claim for many requests', async () => {
  begin(4)
  waiting.push(due('a'))
  for (let count = 0; count < 10; count += 1) sweep.claimSoon()
  await jest.advanceTimersByTimeAsync(100)
  expect(running.map(({ work }) => work.id)).toEqual(['a'])
  expect(claims).toEqual([4])
})

test('claims once more when it is asked to during a claim', async () => {
  let resolveClaim: (handed: Due[]) => void = () => undefined
  begin(4, (limit) => {
    claims.push(limit)
    return new Promise((resolve) => (resolveClaim = resolve))
  })
  await tick()
  sweep.claimSoon()
  await jest.advanceTimersByTimeAsync(100)
  resolveClaim([])
  await jest.advanceTimersByTimeAsync(100)
  expect(claims).toHaveLength(2)
})

test('makes no early claim after it was stopped', async () => {
  begin(4)
  sweep.claimSoon()
  sweep.stop()
  sweep.claimSoon()
  await tick()
  expect(claims).toEqual([])
})

test('starts no job after it was stopped', async () => {
  begin(2)
  waiting.push(due('a'))
  sweep.stop()
  await tick()
  expect(claims).toEqual([])
})

test('leaves jobs claimed during shutdown to another worker', async () => {
  let resolveClaim: (handed: Due[]) => void = () => undefined
  begin(2, () => new Promise((resolve) => (resolveClaim = resolve)))
  await tick()
  sweep.stop()
  resolveClaim([due('a')])
  await settle()
  expect(running).toEqual([])
})

function due(id: string): Due {
  return { job: 'query-intent', id }
}

function claimWaiting(limit: number): Promise<Due[]> {
  claims.push(limit)
  return Promise.resolve(waiting.splice(0, limit))
}

function runUntilEnded(work: Due): Promise<string> {
  return new Promise((resolve, reject) => {
    const end = (ended: Error | string = 'done') => {
      if (ended instanceof Error) reject(ended)
      else resolve(ended)
    }
    running.push({ work, end })
  })
}

const tick = () => jest.advanceTimersByTimeAsync(everyMs)
const settle = () => jest.advanceTimersByTimeAsync(0)
