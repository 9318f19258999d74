import type { Prompt } from '../rail'
import { aroundAttempt, pageBody, pushBody, qrBody, queryBody, registerBody } from './outbound'
import { recorded } from './recorded.harness'

const settings = {
  baseUrl: 'https://sandbox.safaricom.co.ke',
  consumerKey: 'key',
  consumerSecret: 'secret',
  shortcode: '174379',
  // Safaricom's public sandbox passkey.
  passkey: 'bfb279f9aa9bdbcf158e97dd71a467cd2e0c893059b10f78e6b72ada1ed2c919',
}
const prompt: Prompt = {
  intentId: 'pi_0f4c8a5d2b7e4f1c9a6d3e8b',
  phone: '254708374149',
  amountMinor: 100n,
  attemptReference: 'A1B2C3D4E5F6',
  payeeName: 'Mama Mboga Fresh',
  callbackUrl: 'https://callbacks.example.com/callbacks/0f4c8a5d2b7e4f1c9a6d3e8b5c2f7a10',
  sendByMs: Infinity,
}
const atMs = Date.parse('2026-11-20T14:25:01+03:00')

describe('the body of a push', () => {
  test('is the recorded one, every value as a string', () => {
    expect(pushBody(prompt, settings, atMs)).toEqual(asStrings('push-request'))
  })

  test.each([
    [100n, '1'],
    [15_000_000n, '150000'],
    [15_050n, '150.50'],
  ])('asks for %s minor units as %s', (amountMinor, text) => {
    expect(pushBody({ ...prompt, amountMinor }, settings, atMs).Amount).toBe(text)
  })

  test('keeps the description within the 13 characters that Daraja shows', () => {
    const payeeName = 'Mama Mboga Fresh & Sons'
    const { TransactionDesc: text } = pushBody({ ...prompt, payeeName }, settings, atMs)
    expect(text).toBe('Mama Mboga')
  })

  test.each(['A1B2C3D4E5F67', '', 'A#B', 'CS 12345678'])(
    'refuses the reference "%s"',
    (attemptReference) => {
      expect(() => pushBody({ ...prompt, attemptReference }, settings, atMs)).toThrow('internal')
    },
  )

  test('has the date of Nairobi, where the day begins three hours before UTC', () => {
    const lateEvening = Date.parse('2026-12-31T21:30:00Z')
    expect(pushBody(prompt, settings, lateEvening).Timestamp).toBe('20270101003000')
  })
})

test('the body of a QR code is the recorded one', () => {
  const wanted = {
    payeeName: 'Mama Mboga Fresh',
    accountNumber: 'CS12345674',
    amountMinor: 50_000n,
  }
  expect(qrBody(wanted, settings)).toEqual(asStrings('qr-request'))
})

describe('with a till', () => {
  const atTill = { ...settings, till: '832456' }

  test('a push is signed by the store and pays the till', () => {
    const signed = pushBody(prompt, settings, atMs)
    expect(pushBody(prompt, atTill, atMs)).toEqual({
      ...signed,
      TransactionType: 'CustomerBuyGoodsOnline',
      PartyB: '832456',
    })
  })

  test('a QR code pays the till', () => {
    const wanted = { payeeName: 'Mama Mboga', accountNumber: 'CS12345674', amountMinor: 50_000n }
    expect(qrBody(wanted, atTill)).toMatchObject({ TrxCode: 'BG', CPI: '832456' })
  })

  test('addresses and the statement are those of the till', () => {
    const urls = {
      validationUrl: 'https://shop.example/v',
      confirmationUrl: 'https://shop.example/c',
    }
    const search = { attemptReference: 'A1B2C3D4E5F6', submittedAt: new Date(atMs) }
    expect(registerBody(urls, atTill).ShortCode).toBe('832456')
    expect(pageBody(aroundAttempt(search, atMs), atTill, 0).ShortCode).toBe('832456')
  })
})

test('the body of a status query is the recorded one', () => {
  expect(queryBody('ws_CO_20112026142501373708374149', settings, atMs)).toEqual(
    asStrings('query-request'),
  )
})

describe('the body of a statement request', () => {
  const search = { attemptReference: 'A1B2C3D4E5F6', submittedAt: new Date(atMs) }

  test('has the fields of the recorded one', () => {
    const body = pageBody(aroundAttempt(search, atMs), settings, 0)
    expect(Object.keys(body)).toEqual(Object.keys(asStrings('pull-query-request')))
  })

  test('asks for no time later than a second from now', () => {
    expect(pageBody(aroundAttempt(search, atMs + 75_000), settings, 100)).toEqual({
      ShortCode: '174379',
      StartDate: '2026-11-20 14:23:01',
      EndDate: '2026-11-20 14:26:17',
      OffSetValue: '100',
    })
  })

  test('asks for ten minutes after the prompt at most, however late the request is', () => {
    const body = pageBody(aroundAttempt(search, atMs + 86_400_000), settings, 0)
    expect(body.EndDate).toBe('2026-11-20 14:35:01')
  })
})

function asStrings(name: string): Record<string, string> {
  const body = JSON.parse(recorded(name).body.toString()) as Record<string, string | number>
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, String(value)]))
}
