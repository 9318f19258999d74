import type { MerchantRequest } from '@malipo/accounts-client/accounts'
import { Fault } from '@malipo/kernel/errors'
import { openLog } from '@malipo/runtime/log'
import { openPassOnRequests } from './pass-on-requests'

const log = openLog('test', 'silent')

const request = (index: number): MerchantRequest => ({
  requestId: String(index),
  accountId: 'acc',
  method: 'GET',
  path: '/',
  status: 200,
  code: 0,
  milliseconds: 1,
  at: new Date(0),
})

function open(passOn: (requests: readonly MerchantRequest[]) => Promise<void>, count: number) {
  const passing = openPassOnRequests(passOn, log)
  for (let index = 0; index < count; index += 1) passing.note(request(index))
  return passing
}

test('sends all requests on, in order, at most 200 at once', async () => {
  const batches: (readonly MerchantRequest[])[] = []
  await open((batch) => Promise.resolve(void batches.push(batch)), 450).close()
  expect(batches.map(({ length }) => length)).toEqual([200, 200, 50])
  expect(batches.flat().map(({ requestId }) => requestId)).toEqual(
    Array.from({ length: 450 }, (_, index) => String(index)),
  )
})

test('drops a request that the log refuses, and sends the others on', async () => {
  const taken: string[] = []
  const passing = open((batch) => {
    if (batch.some(({ requestId }) => requestId === '7')) {
      return Promise.reject(new Fault('invalid_request'))
    }
    taken.push(...batch.map(({ requestId }) => requestId))
    return Promise.resolve()
  }, 12)
  await passing.close()
  expect(taken).toEqual(['0', '1', '2', '3', '4', '5', '6', '8', '9', '10', '11'])
})

test('keeps at most 5,000 while the auth service is away', async () => {
  let isAway = true
  const taken: MerchantRequest[] = []
  const passing = open((batch) => {
    if (isAway) return Promise.reject(new Error('away'))
    taken.push(...batch)
    return Promise.resolve()
  }, 5_001)
  isAway = false
  await passing.close()
  expect(taken).toHaveLength(5_000)
})

test('stops without an error while the auth service is away', async () => {
  await expect(open(() => Promise.reject(new Error('away')), 1).close()).resolves.toBeUndefined()
})
