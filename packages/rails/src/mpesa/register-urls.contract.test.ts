import { payBillUrls, registerUrls } from './register-urls'
import { type Played, playDaraja, shortCode } from './simulator.harness'

const secret = '0f4c8a5d2b7e4f1c9a6d3e8b5c2f7a10'
const urls = payBillUrls({
  CALLBACK_BASE_URL: 'https://callbacks.example.com/',
  C2B_PATH_SECRET: secret,
})

let played: Played
beforeEach(async () => {
  played = await playDaraja()
})
afterEach(() => played.stop())

function register(rail = played.rail) {
  const { payBill } = rail
  if (payBill === undefined || urls === undefined) throw new Error('M-Pesa has a menu')
  return registerUrls(payBill, urls)
}

test('registers the addresses, shows them without their secret, and says what proves them', async () => {
  const { isDone, message } = await register()
  expect(isDone).toBe(true)
  expect(message).toContain('registered for 174379: https://callbacks.example.com/callbacks/c2b/…/')
  expect(message).toContain(`pay one shilling to ${shortCode}`)
  expect(message).not.toContain(secret)
  expect(await register()).toEqual({ isDone: true, message })
})

test('warns that addresses registered before may be those of others, and says what to do', async () => {
  await played.addRule({ on: 'register', effect: { kind: 'error', error: 'urls_registered' } })
  const { isDone, message } = await register()
  expect(isDone).toBe(true)
  expect(message).toContain('Safaricom does not say whose')
  expect(message).toContain('delete the addresses in the portal')
})

test('says that nothing was registered when Safaricom refuses us', async () => {
  const { isDone, message } = await register(played.openRail({ MPESA_CONSUMER_SECRET: 'another' }))
  expect(isDone).toBe(false)
  expect(message).toMatch(/^not registered: .*; run provider check/)
})
