import { createHmac } from 'node:crypto'
import { MalipoWebhookError, verifyWebhook } from './verify-webhook'

const key = Buffer.alloc(32, 7)
const secret = `whsec_${key.toString('base64')}`
const event = {
  type: 'checkout.completed',
  timestamp: '2026-11-22T09:00:00.000Z',
  data: { id: 'cs_ke_0123456789abcdef01234567' },
} as const
const body = JSON.stringify(event)

function signed(changes: { ageSeconds?: number; by?: Buffer; of?: string } = {}) {
  const { ageSeconds = 0, by = key, of = body } = changes
  const timestamp = String(Math.floor(Date.now() / 1_000 - ageSeconds))
  const digest = createHmac('sha256', by).update(`evt_1.${timestamp}.${of}`).digest('base64')
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${digest}`,
  }
}

test('returns the event of a request signed with the secret', () => {
  expect(verifyWebhook(body, signed(), secret)).toEqual(event)
  expect(verifyWebhook(Buffer.from(body), new Headers(signed()), secret)).toEqual(event)
})

test('returns an event of a type added later, though it has no id', () => {
  const added = { type: 'payout.sent', timestamp: event.timestamp, data: {} }
  const text = JSON.stringify(added)
  expect(verifyWebhook(text, signed({ of: text }), secret)).toEqual(added)
})

test('accepts headers in any case and as lists', () => {
  const headers = Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), [value]])
  expect(verifyWebhook(body, Object.fromEntries(headers), secret)).toEqual(event)
})

test('accepts a request if one of several signatures matches, as during a rotation', () => {
  const own = signed()
  const other = signed({ by: Buffer.alloc(32, 8) })
  const both = `${other['webhook-signature']} ${own['webhook-signature']}`
  expect(verifyWebhook(body, { ...own, 'webhook-signature': both }, secret)).toEqual(event)
})

const headers = signed()
test.each([
  ['a changed body', `${body} `, headers],
  ['another secret', body, signed({ by: Buffer.alloc(32, 8) })],
  ['another id', body, { ...headers, 'webhook-id': 'evt_2' }],
  ['an unknown version', body, changed('webhook-signature', (text) => text.replace('v1', 'v2'))],
  ['a signature cut short', body, changed('webhook-signature', (text) => text.slice(0, 20))],
  ['a time that is no number', body, { ...headers, 'webhook-timestamp': 'now' }],
  ['a request of six minutes ago', body, signed({ ageSeconds: 360 })],
  ['a request from the future', body, signed({ ageSeconds: -360 })],
  ['no signature', body, { ...headers, 'webhook-signature': undefined }],
])('refuses %s', (_what, text, given) => {
  expect(() => verifyWebhook(text, given, secret)).toThrow(MalipoWebhookError)
})

test.each([
  '',
  'text',
  'null',
  '[]',
  '"text"',
  '{"type":"checkout.completed"}',
  JSON.stringify({ ...event, type: 1 }),
  JSON.stringify({ ...event, data: null }),
])('refuses the signed body %p, which is no event', (text) => {
  expect(() => verifyWebhook(text, signed({ of: text }), secret)).toThrow(MalipoWebhookError)
})

test('accepts a request of four minutes ago', () => {
  expect(verifyWebhook(body, signed({ ageSeconds: 240 }), secret)).toEqual(event)
})

test.each([undefined, '', 'mkp_test_A', 'whsec_', 'whsec_short'])(
  'refuses %p as a signing secret',
  (wrong) => {
    expect(() => verifyWebhook(body, signed(), wrong)).toThrow('whsec_')
  },
)

function changed(name: keyof typeof headers, change: (text: string) => string) {
  return { ...headers, [name]: change(headers[name]) }
}
