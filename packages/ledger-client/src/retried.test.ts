import { Fault } from '@malipo/kernel/errors'
import { retried } from './retried'

const waits: number[] = []
const wait = (milliseconds: number) => {
  waits.push(milliseconds)
  return Promise.resolve()
}

beforeEach(() => {
  waits.length = 0
})

test('returns the first answer', async () => {
  expect(await retried(() => Promise.resolve('answer'), wait)).toBe('answer')
  expect(waits).toEqual([])
})

test('retries while the ledger is down', async () => {
  let tries = 0
  const attempt = () => {
    tries += 1
    return tries < 4 ? Promise.reject(new Fault('ledger_unavailable')) : Promise.resolve('answer')
  }
  expect(await retried(attempt, wait)).toBe('answer')
  expect(waits).toEqual([100, 300, 1_000])
})

test('gives up after waits of 7.4 seconds in all', async () => {
  const attempt = () => Promise.reject(new Fault('ledger_unavailable'))
  await expect(retried(attempt, wait)).rejects.toThrow('ledger_unavailable')
  expect(waits.reduce((sum, milliseconds) => sum + milliseconds)).toBe(7_400)
})

test('does not retry an error that a retry cannot fix', async () => {
  const attempt = () => Promise.reject(new Fault('intent_not_found'))
  await expect(retried(attempt, wait)).rejects.toThrow('intent_not_found')
  expect(waits).toEqual([])
})
