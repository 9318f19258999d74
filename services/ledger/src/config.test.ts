import { promptTimes } from '@malipo/kernel/prompts'
import { testIdentityDir } from '@malipo/testing/identities'
import { readConfig } from './config'

const environment = {
  PORT: '0',
  ADMIN_PORT: '0',
  DATABASE_URL: 'postgresql://localhost/ledger_ke',
  TLS_DIR: testIdentityDir('ledger-ke'),
  COUNTRY: 'KE',
}

test('has the times of the interface unless it is configured otherwise', () => {
  expect(readConfig(environment)).toMatchObject({
    host: '127.0.0.1',
    country: { country: 'ke', currency: 'KES' },
    rails: ['mpesa', 'airtel_money', 'card'],
    checkoutLifeSeconds: 1_800,
    intentStartSeconds: 60,
    promptWaitMaxSeconds: 10,
    promptTimes,
    queryEverySeconds: 15,
    reportHoldSeconds: 600,
    cardFeeBps: 350n,
    cardSessionSeconds: 900,
    cardQueryAfterSeconds: 30,
    mpesaWholeShillings: false,
    payBillUnconfirmedMaxMinor: 0n,
    callbackUnconfirmedMaxMinor: 0n,
  })
})

test('uses the clock of the database, whatever the environment contains', () => {
  const given = { ...environment, IS_CLOCK_OF_TEST: 'true', CLOCK_OF_TEST: 'true' }
  expect(readConfig(given).isClockOfTest).toBe(false)
})

test('shortens the wait of every rail by one setting', () => {
  const hurried = { INTENT_DEADLINE_SECONDS: '40', QUERY_AFTER_SECONDS: '2' }
  const { mpesa, mtn_momo } = readConfig({ ...environment, ...hurried }).promptTimes
  expect(mpesa).toEqual({ promptSeconds: 60, queryAfterSeconds: 2, deadlineSeconds: 40 })
  expect(mtn_momo).toEqual({ promptSeconds: 300, queryAfterSeconds: 2, deadlineSeconds: 40 })
})

test('keeps an intent that is reported as paid open for as long as is configured', () => {
  const given = { ...environment, PAYMENT_REPORT_HOLD_SECONDS: '45' }
  expect(readConfig(given).reportHoldSeconds).toBe(45)
})

test('switches on the rails that are configured, in the order of the country', () => {
  expect(readConfig({ ...environment, RAILS: 'card, mpesa' }).rails).toEqual(['mpesa', 'card'])
  expect(readConfig({ ...environment, RAILS: '' }).rails).toEqual([])
})

test.each([
  ['a rail of another country', { RAILS: 'mtn_momo' }, 'RAILS'],
  ['a country that we are not in', { COUNTRY: 'TZ' }, 'COUNTRY'],
  ['no folder of certificates', { TLS_DIR: '' }, 'TLS_DIR'],
  ['a query after the deadline', { QUERY_AFTER_SECONDS: '150' }, 'QUERY_AFTER_SECONDS'],
  [
    'a hold of 0 seconds for reports of payment',
    { PAYMENT_REPORT_HOLD_SECONDS: '0' },
    'PAYMENT_REPORT_HOLD_SECONDS',
  ],
  ['a life of 0 seconds for checkouts', { CHECKOUT_LIFE_SECONDS: '0' }, 'CHECKOUT_LIFE_SECONDS'],
])('refuses %s', (_, changes, variable) => {
  expect(() => readConfig({ ...environment, ...changes })).toThrow(variable)
})

test('names every problem at once', () => {
  expect(() => readConfig({ ...environment, PORT: 'x', COUNTRY: 'x' })).toThrow(/PORT[^]*COUNTRY/)
})
