import { openRails, railVariables, readers } from './registry'
import { publishedSources } from './sources'

const mpesa = {
  MPESA_BASE_URL: 'https://sandbox.safaricom.co.ke/',
  MPESA_CONSUMER_KEY: 'key',
  MPESA_CONSUMER_SECRET: 'secret',
  MPESA_SHORTCODE: '174379',
  MPESA_PASSKEY: 'passkey',
}
const wiring = { now: () => 0, wait: () => Promise.resolve(), happened: () => undefined }

test('opens a rail whose variables are all set', () => {
  const settings = railVariables.parse({ ...mpesa, HOME: '/' })
  expect(settings.mpesa?.baseUrl).toBe('https://sandbox.safaricom.co.ke')
  expect([...openRails(settings, wiring).keys()]).toEqual(['mpesa'])
})

test.each([
  ['none of its variables', {}],
  ['empty variables, as a compose file passes them', { MPESA_BASE_URL: '', MPESA_PASSKEY: '' }],
  ["only another service's variable", { MPESA_WHOLE_SHILLINGS: 'true' }],
])('leaves a rail off that has %s', (_, environment) => {
  expect(openRails(railVariables.parse(environment), wiring).size).toBe(0)
})

test('names each variable that is missing or wrong, and none of their values', () => {
  const parsed = railVariables.safeParse({ ...mpesa, MPESA_PASSKEY: '', MPESA_SHORTCODE: 'till' })
  expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toEqual([
    'mpesa.MPESA_SHORTCODE',
    'mpesa.MPESA_PASSKEY',
  ])
})

test('reads what a rail receives also when the rail is off', () => {
  expect(readers.mpesa?.('callback', Buffer.from('{}')).kind).toBe('unreadable')
})

test('knows the twelve addresses that Safaricom publishes', () => {
  expect(new Set(publishedSources.mpesa).size).toBe(12)
})
