import { useNock } from '../nock.harness'
import { countries, type Country } from '@malipo/kernel/countries'
import nock from 'nock'
import type { Prompt, Rail } from '../rail'
import { openAirtelMoney } from './client'
import { recorded } from './recorded.harness'
import type { AirtelMoneySettings } from './settings'

export const baseUrl = 'https://openapi.airtel.ug'
export const settings: AirtelMoneySettings = {
  baseUrl,
  apiVersion: 'v1',
  clientId: 'client-id',
  clientSecret: 'client-secret',
  callbackKey: 'callback-key',
  refunds: false,
}
export const prompt: Prompt = {
  intentId: 'pi_0f4c8a5d2b7e4f1c9a6d3e8b',
  phone: '256752123456',
  amountMinor: 500_000n,
  attemptReference: 'A1B2C3D4E5F6',
  payeeName: 'Mama Mboga Fresh',
  callbackUrl: 'https://callbacks.example.com/callbacks/0f4c8a5d2b7e4f1c9a6d3e8b5c2f7a10',
  sendByMs: Infinity,
}
export const startMs = Date.parse('2026-11-20T14:25:01+03:00')
export const tokenPath = '/auth/oauth2/token'
export const payPath = '/merchant/v1/payments/'
export const transactionId = '0f4c8a5d2b7e4f1c9a6d3e8b'
export const enquiryPath = `/standard/v1/payments/${transactionId}`
export const accepted = { kind: 'accepted', providerRequestId: transactionId }
export const paymentHeaders = {
  accept: '*/*',
  authorization: 'Bearer UCc3p0s1kq8vXq2wZt5rY7uM9nB4ki2w',
  'content-type': 'application/json',
  'x-country': 'UG',
  'x-currency': 'UGX',
}

/** The fake process of the rail: a clock that only the test or a wait of the rail moves, and the counted events. */
export const own = { nowMs: startMs, events: [] as string[] }

export const openRail = (
  changes: Partial<AirtelMoneySettings> = {},
  country: Country = 'ug',
): Rail =>
  openAirtelMoney({ ...settings, ...changes }, countries[country], {
    now: () => own.nowMs,
    wait: (milliseconds) => {
      own.nowMs += milliseconds
      return Promise.resolve()
    },
    takeTurn: () => Promise.resolve(0),
    countEvent: (name) => own.events.push(name),
  })

/** Resets the clock and the events before each test. nock refuses calls to real hosts. */
export function useOwnProcess(): void {
  useNock()
  beforeEach(() => {
    Object.assign(own, { nowMs: startMs, events: [] })
  })
}

export function answer(method: 'get' | 'post', path: string, name: string, times = 1): void {
  const { status, body, contentType } = recorded(name)
  nock(baseUrl)[method](path).times(times).reply(status, body, { 'content-type': contentType })
}
