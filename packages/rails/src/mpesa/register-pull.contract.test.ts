import { systemClock } from '@malipo/runtime/clock'
import { openLog } from '@malipo/runtime/log'
import { openSimulatorControl } from '@malipo/testing/simulator-control'
import { readConfig } from '../../../../services/simulator/src/config'
import { start } from '../../../../services/simulator/src/start'
import { registerPull } from './register-pull'
import { credentials, shortCode } from './simulator.harness'

const wiring = {
  now: systemClock.now,
  wait: () => Promise.resolve(),
  takeTurn: () => Promise.resolve(0),
  countEvent: () => undefined,
}

let simulator: Awaited<ReturnType<typeof start>>
beforeEach(async () => {
  const config = readConfig({ ...credentials, PORT: '0', ADMIN_PORT: '0' })
  simulator = await start(config, openLog('simulator', 'silent'))
})
afterEach(() => simulator.stop())

interface Changes {
  readonly shortcode?: string
  readonly till?: string
  readonly baseUrl?: string
}

function register(changes: Changes = {}) {
  const settings = {
    baseUrl: `http://127.0.0.1:${String(simulator.ports['http'])}`,
    consumerKey: credentials.MPESA_CONSUMER_KEY,
    consumerSecret: credentials.MPESA_CONSUMER_SECRET,
    shortcode: shortCode,
    passkey: credentials.MPESA_PASSKEY,
    ...changes,
  }
  const request = { phone: '254708374149', callbackUrl: 'https://callbacks.example/' }
  return registerPull(settings, wiring, request)
}

test('registers a short code for its statement, and says when it was registered before', async () => {
  expect(await register()).toEqual({ isDone: true, message: '174379 is registered' })
  expect(await register()).toEqual({ isDone: true, message: '174379 was registered before' })
})

test('shows the answer of Safaricom to an unknown short code, and what to do', async () => {
  const { isDone, message } = await register({ shortcode: '600000' })
  expect(isDone).toBe(false)
  expect(message).toMatch(
    /nvalid.*: ask Safaricom's API support to grant Pull Transactions to 600000$/,
  )
})

test.each([
  [
    'system_busy',
    '500.003.02 System is busy. Please try again in few minutes.: run this again in some minutes',
  ],
  [
    'invalid_token_pull',
    '401.001 Invalid Access Token: compare the consumer key and its secret with an app that has Pull Transactions',
  ],
  ['internal', '500.003.1001 Internal Server Error'],
  ['opaque_500', 'HTTP 500'],
])('says of the refusal %s what its code means, and no more', async (error, message) => {
  const control = openSimulatorControl(`http://127.0.0.1:${String(simulator.ports['http'])}`)
  await control.addRule({ on: 'register', effect: { kind: 'error', error } })
  expect(await register()).toEqual({ isDone: false, message })
})

test('registers the store of a till and the till, of which either may be the one that counts', async () => {
  await simulator.stop()
  const till = '832456'
  const config = readConfig({ ...credentials, MPESA_TILL: till, PORT: '0', ADMIN_PORT: '0' })
  simulator = await start(config, openLog('simulator', 'silent'))
  expect(await register({ till })).toEqual({
    isDone: true,
    message: `${shortCode} is registered\n${till} is registered`,
  })
  const { isDone, message } = await register({ till: '832457' })
  expect(isDone).toBe(true)
  expect(message).toMatch(/^174379 was registered before\n.*ask Safaricom.*832457$/)
})

test('reports that Safaricom did not answer', async () => {
  expect(await register({ baseUrl: 'http://127.0.0.1:9' })).toMatchObject({
    isDone: false,
    message: expect.stringContaining('no answer') as string,
  })
})
