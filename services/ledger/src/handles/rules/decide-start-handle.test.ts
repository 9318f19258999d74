import { later } from '../../evidence/rules/state'
import {
  decideStartHandle,
  type HandleState,
  type StartHandleAnswer,
  type StartHandleRequest,
} from './decide-start-handle'
import { ago, failed, now, request as ofPhone } from '../../intents/rules/start.harness'

const terms = { startSeconds: 60 }
const state: HandleState = { now, wallet: 'open', bound: undefined, phonePrompts: [] }
const request: StartHandleRequest = {
  ...ofPhone,
  ...{ payee: { accountId: 'acc_1', handle: 'Duka' }, amountMinor: 12_345n, isWithinLimits: true },
}

test('an open wallet gets an attempt of the amount, in the name of the handle', () => {
  expect(decideStartHandle(state, request, terms)).toEqual({
    answer: {
      outcome: 'started',
      intent: {
        ...{ intentId: 'pi_new', status: 'reserved', rail: 'mpesa' },
        ...{ amountMinor: 12_345n, settledMinor: null },
      },
    },
    write: {
      ...{ now, boundTo: 'pi_new' },
      attempt: {
        ...{ id: 'pi_new', checkoutId: null, accountId: 'acc_1', handle: 'Duka', rail: 'mpesa' },
        ...{ phone: '254708374149', amountMinor: 12_345n, askedMinor: 12_345n },
        ...{ createdAt: now, deadlineAt: later(now, 60), nextActionAt: later(now, 1) },
        ...{ callbackSecret: 'secret', attemptReference: 'MABC' },
      },
    },
  })
})

test('an amount with cents is requested as the next whole shilling when the rail takes no cents', () => {
  const { write } = decideStartHandle(state, { ...request, wholeMajorsOnly: true }, terms)
  expect(write?.attempt?.askedMinor).toBe(12_400n)
})

const bound = { intent: failed, isSameInput: true }
const outside: Partial<StartHandleRequest> = { isWithinLimits: false }
const five = { phonePrompts: Array.from({ length: 5 }, () => ago(3_000)) }

test.each<
  [string, Partial<HandleState> | 'unknown', Partial<StartHandleRequest>, StartHandleAnswer]
>([
  ['of an account without a wallet', 'unknown', {}, { outcome: 'checkout_not_found' }],
  [
    'of a frozen wallet, asked with a used key',
    { wallet: 'frozen', bound },
    {},
    { outcome: 'checkout_not_found' },
  ],
  [
    'asked with a used key, whose amount is outside the limits now',
    { bound, ...five },
    outside,
    { outcome: 'replayed', intent: failed },
  ],
  [
    'asked with a key of other input',
    { bound: { ...bound, isSameInput: false } },
    outside,
    { outcome: 'idempotency_mismatch' },
  ],
  ['with an amount outside the limits', five, outside, { outcome: 'amount_outside_limits' }],
  [
    'from a phone with five prompts within the hour',
    five,
    {},
    { outcome: 'rate_limited', retryAfterSeconds: 600 },
  ],
])('a handle %s gets no new attempt', (_, changes, changed, answer) => {
  const given = changes === 'unknown' ? changes : { ...state, ...changes }
  expect(decideStartHandle(given, { ...request, ...changed }, terms)).toEqual({
    ...{ answer, write: undefined },
  })
})

test('a phone with four prompts within the hour gets a fifth one for a handle', () => {
  const phonePrompts = five.phonePrompts.slice(1)
  const { answer } = decideStartHandle({ ...state, phonePrompts }, request, terms)
  expect(answer.outcome).toBe('started')
})
