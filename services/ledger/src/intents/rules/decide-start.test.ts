import { later } from '../../evidence/rules/state'
import {
  askedMinorOf,
  waitSeconds,
  decideStart,
  type StartAnswer,
  type StartState,
} from './decide-start'
import { ago, checkout, failed, flying, many, now, paid, request } from './start.harness'

test.each([
  [50_000n, true, 50_000n],
  [50_001n, true, 50_100n],
  [50_099n, true, 50_100n],
  [50_001n, false, 50_001n],
])(
  'an amount of %s, with "whole shillings only" being %s, is requested as %s',
  (amount, whole, request) => {
    expect(askedMinorOf(amount, whole)).toBe(request)
  },
)

test.each<[string, readonly number[], number | undefined]>([
  ['nothing with two prompts', [ago(1), ago(2)], undefined],
  [
    'nothing when the third newest prompt began an hour ago',
    [ago(1), ago(2), ago(3_600)],
    undefined,
  ],
  [
    'a second when the third newest prompt began a microsecond less than an hour ago',
    [ago(1), ago(2), ago(3_600) + 1],
    1,
  ],
  ['an hour when three prompts began at this moment', [now, now, now], 3_600],
  [
    'the same in whatever order the prompts are given',
    [ago(3_000), ago(1), ago(100), ago(3_500)],
    600,
  ],
])('the wait under a limit of three prompts an hour is %s', (_, moments, seconds) => {
  expect(waitSeconds(now, moments, 3)).toBe(seconds)
})

const terms = { startSeconds: 60 }
const nothing = undefined

test('a checkout without an attempt in flight gets one of its amount', () => {
  expect(decideStart(checkout, request, terms)).toEqual({
    answer: {
      outcome: 'started',
      intent: {
        ...{ intentId: 'pi_new', status: 'reserved', rail: 'mpesa' },
        ...{ amountMinor: 50_050n, settledMinor: null },
      },
    },
    write: {
      ...{ now, boundTo: 'pi_new' },
      attempt: {
        ...{ id: 'pi_new', checkoutId: 'cs_1', accountId: null, handle: null, rail: 'mpesa' },
        ...{ phone: '254708374149', amountMinor: 50_050n, askedMinor: 50_050n },
        ...{ createdAt: now, deadlineAt: later(now, 60), nextActionAt: later(now, 1) },
        ...{ callbackSecret: 'secret', attemptReference: 'MABC' },
      },
    },
  })
})

test('an amount with cents is requested as the next whole shilling when the rail takes no cents', () => {
  const { write } = decideStart(checkout, { ...request, wholeMajorsOnly: true }, terms)
  expect(write?.attempt).toMatchObject({ amountMinor: 50_050n, askedMinor: 50_100n })
})

test('a new key is bound to the attempt in flight, and starts no other', () => {
  const state = { ...checkout, attempts: [failed, flying], expiresAt: now }
  const { answer, write } = decideStart(state, request, terms)
  expect(answer).toEqual({ outcome: 'in_progress', intent: flying })
  expect(write).toEqual({ now, boundTo: 'pi_flying', attempt: undefined })
})

const bound = { intentId: 'pi_failed', isSameInput: true }
const other = { bound: { ...bound, isSameInput: false } }
const ofPhone = (count: number, seconds: number) => ({
  phonePrompts: Array.from({ length: count }, () => ago(seconds)),
})

test.each<[string, Partial<StartState> | 'unknown', StartAnswer]>([
  ['of an unknown checkout', 'unknown', { outcome: 'checkout_not_found' }],
  ['of a frozen wallet', { wallet: 'frozen' }, { outcome: 'checkout_not_found' }],
  [
    'of a frozen wallet, asked with a used key',
    { wallet: 'frozen', bound },
    { outcome: 'checkout_not_found' },
  ],
  ['asked with a used key', { bound }, { outcome: 'replayed', intent: failed }],
  [
    'that is paid, asked with a used key',
    { bound, attempts: [failed, paid], expiresAt: now },
    { outcome: 'replayed', intent: failed },
  ],
  ['asked with a key of other input', other, { outcome: 'idempotency_mismatch' }],
  [
    'that is paid, asked with a key of other input',
    { ...other, attempts: [failed, paid] },
    { outcome: 'idempotency_mismatch' },
  ],
  ['that is paid', { attempts: [paid], expiresAt: now }, { outcome: 'checkout_paid' }],
  [
    'that is paid, with another attempt in flight',
    { attempts: [flying, paid] },
    { outcome: 'checkout_paid' },
  ],
  ['that has expired', { expiresAt: now }, { outcome: 'checkout_expired' }],
  [
    'that has expired, and whose limit is reached',
    { expiresAt: now, ...ofPhone(5, 1) },
    { outcome: 'checkout_expired' },
  ],
  [
    'of a phone with five prompts within the hour',
    ofPhone(5, 3_000),
    { outcome: 'rate_limited', retryAfterSeconds: 600 },
  ],
  [
    'with twenty prompts within the hour',
    { attempts: many(20, ago(3_000)) },
    { outcome: 'rate_limited', retryAfterSeconds: 600 },
  ],
  [
    'that reaches both limits, and waits for the later one',
    { attempts: many(20, ago(3_000)), ...ofPhone(5, 600) },
    { outcome: 'rate_limited', retryAfterSeconds: 3_000 },
  ],
])('a checkout %s gets no new attempt', (_, changes, answer) => {
  const state = changes === 'unknown' ? changes : { ...checkout, ...changes }
  expect(decideStart(state, request, terms)).toEqual({ answer, write: nothing })
})

test.each<[string, Partial<StartState>]>([
  ['with a microsecond left', { expiresAt: now + 1 }],
  ['of a phone with four prompts within the hour', ofPhone(4, 1)],
  ['of a phone whose fifth newest prompt began an hour ago', ofPhone(5, 3_600)],
  ['with nineteen prompts within the hour', { attempts: many(19, ago(1)) }],
  [
    'with attempts that prompted no phone',
    { attempts: many(30, ago(1), { rail: 'card', isPrompt: false }) },
  ],
])('a checkout %s gets an attempt', (_, changes) => {
  const { answer } = decideStart({ ...checkout, ...changes }, request, terms)
  expect(answer.outcome).toBe('started')
})

test('throws when a key is bound to an attempt of another checkout', () => {
  const state = { ...checkout, bound: { ...bound, intentId: 'pi_other' } }
  expect(() => decideStart(state, request, terms)).toThrow('pi_other')
})
