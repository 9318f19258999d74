import { networkOf, outcomeOf, receiveSms, type Answer, type Outcome, type SimState } from './phone'
import { openPhoneRegistry } from './phone-registry'

type Row = [SimState, Exclude<Answer, 'ignore'>, string | undefined, bigint, Outcome]

/** Columns: SIM state, answer, PIN entered, amount. The balance is 100 and the PIN 1234. */
const rows: readonly Row[] = [
  ['on', 'approve', '1234', 100n, 'agreed'],
  ['on', 'approve', undefined, 100n, 'agreed'],
  ['on', 'approve', '1235', 100n, 'wrong_pin'],
  ['on', 'approve', '', 100n, 'wrong_pin'],
  ['on', 'approve', '1234', 101n, 'no_funds'],
  ['on', 'approve', '1235', 101n, 'wrong_pin'],
  ['on', 'wrong_pin', '1234', 100n, 'wrong_pin'],
  ['on', 'no_funds', undefined, 100n, 'no_funds'],
  ['on', 'cancel', undefined, 101n, 'cancelled'],
  ['locked', 'approve', '1234', 100n, 'pin_locked'],
  ['locked', 'approve', '1235', 100n, 'pin_locked'],
  ['locked', 'wrong_pin', undefined, 100n, 'pin_locked'],
  ['locked', 'cancel', undefined, 100n, 'cancelled'],
  ['daily_limit', 'approve', '1234', 100n, 'over_daily_limit'],
  ['daily_limit', 'approve', '1235', 100n, 'wrong_pin'],
  ['daily_limit', 'cancel', undefined, 100n, 'cancelled'],
]

test.each(rows)(
  'a prompt on a phone in state %s, answered %s with PIN %s for %s, ends as %s',
  (...row) => {
    const [simState, answer, pin, amountMinor, outcome] = row
    const phone = { simState, pin: '1234', balanceMinor: 100n }
    expect(outcomeOf(phone, answer, amountMinor, pin)).toBe(outcome)
  },
)

test('an inbox keeps the newest five messages', () => {
  const phone = openPhoneRegistry().find('254708374149')
  if (phone === undefined) throw new Error('there is no phone')
  for (let atMs = 1; atMs <= 25; atMs += 1) receiveSms(phone, { atMs, from: 'MPESA', text: '' })
  expect(phone.sms.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 5 }, (_, n) => 25 - n))
})

test.each([
  ['254712345678', 'safaricom'],
  ['254757123456', 'safaricom'],
  ['254733123456', 'airtel'],
  ['254751123456', 'airtel'],
  ['254101123456', 'airtel'],
  ['256772123456', 'mtn'],
  ['256782123456', 'mtn'],
  ['256762123456', 'mtn'],
  ['256752123456', 'airtel'],
  ['256702123456', 'airtel'],
  ['256742123456', 'airtel'],
])('the number %s belongs to the network %s', (msisdn, network) => {
  expect(networkOf(msisdn)).toBe(network)
})
