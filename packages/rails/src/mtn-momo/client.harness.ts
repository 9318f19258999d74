import { useNock } from '../nock.harness'
import nock from 'nock'
import type { Prompt, Rail } from '../rail'
import { openOwnTurns } from '../pace'
import { openMtnMomo } from './client'
import { recorded } from './recorded.harness'
import type { MtnMomoSettings } from './settings'

export const baseUrl = 'https://proxy.momoapi.mtn.com'
export const legacy = { baseUrl, userId: 'c72025f5-5cd1-4630-99e4-8ba4722fad56', secret: 'api-key' }
export const settings: MtnMomoSettings = {
  subscriptionKey: 'subscription-key',
  targetEnvironment: 'mtnuganda',
  currency: 'UGX',
  platform: 'legacy',
  platforms: { legacy },
}
export const prompt: Prompt = {
  intentId: 'pi_0f4c8a5d2b7e4f1c9a6d3e8b',
  phone: '256772123456',
  amountMinor: 500_000n,
  attemptReference: 'A1B2C3D4E5F6',
  payeeName: 'Mama Mboga Fresh',
  callbackUrl: 'https://callbacks.example.com/callbacks/0f4c8a5d2b7e4f1c9a6d3e8b5c2f7a10',
  sendByMs: Infinity,
}
export const startMs = Date.parse('2026-11-20T14:25:01+03:00')
export const tokenPath = '/collection/token/'
export const payPath = '/collection/v1_0/requesttopay'
export const referenceId = '0f4c8a5d-2b7e-44f1-8c9a-6d3e8b000000'
export const statusPath = `${payPath}/${referenceId}`
export const accepted = { kind: 'accepted', providerRequestId: referenceId }
export const token = `Bearer ${(JSON.parse(recorded('token-answer').body.toString()) as { access_token: string }).access_token}`
export const tokenHeaders = {
  'ocp-apim-subscription-key': 'subscription-key',
  'x-target-environment': 'mtnuganda',
}

/** The fake process of the rail: a clock that only the test or a wait of the rail moves, and what the rail did. */
export const own = {
  nowMs: startMs,
  waits: [] as number[],
  turnsAtMs: [] as number[],
  events: [] as string[],
}

export const openRail = (of = settings): Rail => {
  const takeTurn = openOwnTurns(() => own.nowMs)
  return openMtnMomo(of, {
    now: () => own.nowMs,
    wait: (milliseconds) => {
      own.waits.push(milliseconds)
      own.nowMs += milliseconds
      return Promise.resolve()
    },
    takeTurn(pace) {
      own.turnsAtMs.push(own.nowMs)
      return takeTurn(pace)
    },
    countEvent: (name) => own.events.push(name),
  })
}

/** Resets the fake process before each test. nock refuses calls to real hosts. */
export function useOwnProcess(): void {
  useNock()
  beforeEach(() => {
    Object.assign(own, { nowMs: startMs, waits: [], turnsAtMs: [], events: [] })
  })
}

export function answer(method: 'get' | 'post', path: string, name: string, times = 1): void {
  const { status, body, contentType } = recorded(name)
  nock(baseUrl)[method](path).times(times).reply(status, body, { 'content-type': contentType })
}
