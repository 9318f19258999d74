import { Fault } from '@malipo/kernel/errors'
import { failureLevel } from './present-fault'

test.each([
  ['warn', 'a ledger that is away', new Fault('ledger_unavailable')],
  ['warn', 'a database that is away', new Error('Connection terminated unexpectedly')],
  ['error', 'a refusal that a job must not get', new Fault('checkout_not_found')],
  ['error', 'a defect', new TypeError('x is undefined')],
])('logs as %s: %s', (level, _what, error) => {
  expect(failureLevel(error)).toBe(level)
})
