import type { PayBillAddresses } from '@malipo/ledger-client/pay-bill'
import type { PayBillUrls, Registration } from '@malipo/rails/rail'
import { openLog } from '@malipo/runtime/log'
import { startRegisteringPayBill } from './register-pay-bill'

let requests: PayBillUrls[]
let recorded: string[]
let digests: string[]
let begun: ('due' | { waitMs: number | undefined })[]
let answer: Registration
let isLedgerAway: boolean
let running: { stop: () => void }[]

beforeEach(() => {
  jest.useFakeTimers()
  ;[requests, recorded, digests, begun, running] = [[], [], [], [], []]
  answer = { kind: 'registered' }
  isLedgerAway = false
})

afterEach(() => {
  for (const one of running) one.stop()
  jest.useRealTimers()
})

function begin(isRegistrationLasting = true): void {
  const one = startRegisteringPayBill({
    payBill: {
      ...{ shortCode: '600100', isRegistrationLasting },
      register(urls: PayBillUrls) {
        requests.push(urls)
        return Promise.resolve(answer)
      },
    },
    ledger: {
      beginPayBillRegistration({ digest }: PayBillAddresses) {
        if (isLedgerAway) return Promise.reject(new Error('away'))
        digests.push(digest.toString('hex'))
        return Promise.resolve(begun.shift() ?? { waitMs: undefined })
      },
      recordPayBillRegistration({ shortCode }: PayBillAddresses, kind: Registration['kind']) {
        recorded.push(`${shortCode} ${kind}`)
        return Promise.resolve()
      },
    },
    log: openLog('test', 'silent'),
    url: 'https://callbacks.example.com/callbacks/c2b/secret',
  })
  running.push(one)
}

const dayMs = 24 * 3_600_000

test.each(['registered', 'registered_before'] as const)(
  'registers addresses that are due, records that they are %s, and asks the ledger no more',
  async (kind) => {
    answer = { kind }
    begun = ['due']
    begin()
    await jest.advanceTimersByTimeAsync(dayMs)
    expect(requests).toEqual([
      {
        validationUrl: 'https://callbacks.example.com/callbacks/c2b/secret/validation',
        confirmationUrl: 'https://callbacks.example.com/callbacks/c2b/secret/confirmation',
      },
    ])
    expect(recorded).toEqual([`600100 ${kind}`])
  },
)

test('registers nothing when the ledger has the addresses as registered', async () => {
  begin()
  await jest.advanceTimersByTimeAsync(dayMs)
  expect(requests).toEqual([])
})

test('after a refusal, waits as long as the ledger says', async () => {
  answer = { kind: 'unanswered', detail: 'http 400' }
  begun = ['due', { waitMs: 3_600_000 }, 'due']
  begin()
  await jest.advanceTimersByTimeAsync(3_600_000)
  expect(requests).toHaveLength(1)
  await jest.advanceTimersByTimeAsync(10_000)
  expect(requests).toHaveLength(2)
  expect(recorded).toEqual(['600100 unanswered', '600100 unanswered'])
})

test('asks the ledger again after an outage', async () => {
  isLedgerAway = true
  begun = ['due']
  begin()
  await jest.advanceTimersByTimeAsync(60_000)
  isLedgerAway = false
  await jest.advanceTimersByTimeAsync(5_000)
  expect(recorded).toEqual(['600100 registered'])
})

test('asks about the same URLs at every start in production, and about new ones in a sandbox, which forgets them', async () => {
  for (const isLasting of [true, true, false, false]) begin(isLasting)
  await jest.advanceTimersByTimeAsync(0)
  expect(digests[0]).toBe(digests[1])
  expect(new Set(digests).size).toBe(3)
  expect(digests.join(' ')).not.toContain('secret')
})
