import type { PayBillUrls, Registration } from '@malipo/rails/rail'
import { openLog } from '@malipo/runtime/log'
import { startRegisteringPayBill } from './register-pay-bill'

let asked: PayBillUrls[]
let answer: Registration
let registering: { stop: () => void }

beforeEach(() => {
  jest.useFakeTimers()
  asked = []
})

afterEach(() => {
  registering.stop()
  jest.useRealTimers()
})

function begin(): void {
  const register = (urls: PayBillUrls) => {
    asked.push(urls)
    return Promise.resolve(answer)
  }
  const url = 'https://callbacks.example.com/callbacks/c2b/secret'
  registering = startRegisteringPayBill({
    payBill: { register },
    log: openLog('test', 'silent'),
    url,
  })
}

const dayMs = 24 * 3_600_000

test.each(['registered', 'registered_before'] as const)(
  'asks no more when they are %s',
  async (kind) => {
    answer = { kind }
    begin()
    await jest.advanceTimersByTimeAsync(dayMs)
    expect(asked).toEqual([
      {
        validationUrl: 'https://callbacks.example.com/callbacks/c2b/secret/validation',
        confirmationUrl: 'https://callbacks.example.com/callbacks/c2b/secret/confirmation',
      },
    ])
  },
)

test('asks with growing gaps of up to an hour while they are refused', async () => {
  answer = { kind: 'unanswered', detail: 'http 400' }
  begin()
  await jest.advanceTimersByTimeAsync(60_000)
  expect(asked).toHaveLength(4)
  await jest.advanceTimersByTimeAsync(dayMs)
  expect(asked.length).toBeLessThan(40)
  answer = { kind: 'registered' }
  await jest.advanceTimersByTimeAsync(dayMs)
  const { length } = asked
  await jest.advanceTimersByTimeAsync(dayMs)
  expect(asked).toHaveLength(length)
})
