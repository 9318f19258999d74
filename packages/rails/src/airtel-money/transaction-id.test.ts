import { subjectOfAirtelMoney } from './transaction-id'
import { recorded } from './recorded.harness'

test.each(['callback-success', 'callback-success-signed', 'callback-failed'])(
  '%s is about the intent whose digits it names',
  (name) => {
    expect(subjectOfAirtelMoney(recorded(name).body)).toBe('pi_0f4c8a5d2b7e4f1c9a6d3e8b')
  },
)

test.each([
  ['an id that is not ours', '{"transaction":{"id":"BBZMiscxy","status_code":"TS"}}'],
  ['no id', '{"transaction":{"status_code":"TS"}}'],
  ['nothing', ''],
  ['a body that was cut off', recorded('callback-malformed-cut-off').body],
])('%s is about no intent of ours', (_, body) => {
  expect(subjectOfAirtelMoney(Buffer.from(body))).toBeUndefined()
})
