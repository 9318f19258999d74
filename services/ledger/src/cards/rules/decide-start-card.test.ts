import fc from 'fast-check'
import { later } from '../../evidence/rules/state'
import { ago, checkout, failed, flying, many, now, paid } from '../../intents/rules/start.harness'
import {
  cardTerms,
  type CardStartState,
  decideStartCard,
  type StartCardAnswer,
  type StartCardTerms,
} from './decide-start-card'

test.each([
  [10_000n, 350n, 400n, 10_400n],
  [100_000n, 350n, 3_500n, 103_500n],
  [100_100n, 350n, 3_600n, 103_700n],
  [100n, 350n, 100n, 200n],
  [15_000_000n, 350n, 525_000n, 15_525_000n],
  [10_000n, 1n, 100n, 10_100n],
])(
  'an amount of %s at %s basis points has a fee of %s and a total of %s',
  (amountMinor, feeBps, feeMinor, totalMinor) => {
    expect(cardTerms(amountMinor, feeBps)).toEqual({ feeMinor, totalMinor })
  },
)

test.each([50n, 150n, 99_999n])('a card cannot pay %s, which has cents', (amountMinor) => {
  expect(cardTerms(amountMinor, 350n)).toBeUndefined()
})

test('the fee is the share of the amount, rounded up to the next whole major unit', () => {
  const major = fc.bigInt({ min: 1n, max: 5_000_000n })
  const bps = fc.bigInt({ min: 1n, max: 10_000n })
  fc.assert(
    fc.property(major, bps, (amountMajor, feeBps) => {
      const amountMinor = amountMajor * 100n
      const terms = cardTerms(amountMinor, feeBps)
      if (terms === undefined) throw new Error('a whole amount has terms')
      const share = amountMinor * feeBps
      expect(terms.feeMinor % 100n).toBe(0n)
      expect(terms.feeMinor * 10_000n).toBeGreaterThanOrEqual(share)
      expect((terms.feeMinor - 100n) * 10_000n).toBeLessThan(share)
      expect(terms.totalMinor).toBe(amountMinor + terms.feeMinor)
    }),
  )
})

const terms = { cardFeeBps: 350n, startSeconds: 60, sessionSeconds: 900 }
const state: CardStartState = {
  ...{ ...checkout, amountMinor: 50_000n },
  ...{ cardEnabled: true, page: undefined },
}
const sealedPayer = Buffer.from('sealed')
const request = { intentId: 'pi_new', phone: undefined, sealedPayer }

test('a checkout without an attempt in flight gets one of its amount, with a card page and the fee', () => {
  const page = { feeMinor: 1_800n, expiresAt: later(now, 900) }
  expect(decideStartCard(state, request, terms)).toEqual({
    answer: {
      outcome: 'started',
      intent: {
        ...{ intentId: 'pi_new', status: 'reserved', rail: 'card' },
        ...{ amountMinor: 50_000n, settledMinor: null },
      },
      page: { ...page, opened: undefined },
    },
    write: {
      ...{ now, boundTo: 'pi_new' },
      attempt: {
        ...{ id: 'pi_new', checkoutId: 'cs_1', accountId: null, handle: null, rail: 'card' },
        ...{ phone: null, amountMinor: 50_000n, askedMinor: 50_000n },
        ...{ createdAt: now, deadlineAt: later(now, 60), nextActionAt: later(now, 1) },
        ...{ callbackSecret: null, attemptReference: null, page: { ...page, sealedPayer } },
      },
    },
  })
})

test('an attempt keeps the phone that the payer gave', () => {
  const { write } = decideStartCard(state, { ...request, phone: '254708374149' }, terms)
  expect(write?.attempt?.phone).toBe('254708374149')
})

const opened = { sessionId: 'S1', successIndicator: 'ok' }
const page = { feeMinor: 1_800n, expiresAt: ago(5), opened }
const bound = { intentId: 'pi_failed', isSameInput: true }
const off = { cardEnabled: false }
const byCard = { rail: 'card', isPrompt: false } as const

test.each<[string, Partial<CardStartState> | 'unknown', Partial<StartCardTerms>, StartCardAnswer]>([
  ['that is unknown', 'unknown', {}, { outcome: 'checkout_not_found' }],
  [
    'of a frozen wallet, asked with a used key',
    { wallet: 'frozen', bound, page },
    {},
    { outcome: 'checkout_not_found' },
  ],
  [
    'asked with a used key, though it is paid and takes no cards any more',
    { ...off, bound, page, attempts: [failed, paid] },
    {},
    { outcome: 'replayed', intent: failed, page },
  ],
  [
    'asked with a key of other input',
    { ...off, bound: { ...bound, isSameInput: false }, attempts: [paid] },
    {},
    { outcome: 'idempotency_mismatch' },
  ],
  ['that is paid', { ...off, attempts: [flying, paid] }, {}, { outcome: 'checkout_paid' }],
  ['of an account without cards', { ...off, attempts: [flying] }, {}, { outcome: 'card_off' }],
  ['where no cards are taken', {}, { cardFeeBps: undefined }, { outcome: 'card_off' }],
  ['of an amount with cents', { amountMinor: 50_050n }, {}, { outcome: 'card_off' }],
  [
    'with an attempt in flight',
    { attempts: [flying], expiresAt: now },
    {},
    { outcome: 'payment_in_progress' },
  ],
  [
    'that has expired, and whose limit is reached',
    { attempts: many(10, ago(1), byCard), expiresAt: now },
    {},
    { outcome: 'checkout_expired' },
  ],
  [
    'with ten attempts by card within the hour',
    { attempts: many(10, ago(3_000), byCard) },
    {},
    { outcome: 'rate_limited', retryAfterSeconds: 600 },
  ],
])('a checkout %s gets no new attempt', (_, changes, changed, answer) => {
  const given = changes === 'unknown' ? changes : { ...state, ...changes }
  expect(decideStartCard(given, request, { ...terms, ...changed })).toEqual({
    ...{ answer, write: undefined },
  })
})

test.each<[string, Partial<CardStartState>]>([
  ['with a microsecond left', { expiresAt: now + 1 }],
  ['with nine attempts by card within the hour', { attempts: many(9, ago(1), byCard) }],
  ['with many prompts within the hour', { attempts: many(30, ago(1)) }],
])('a checkout %s gets an attempt', (_, changes) => {
  expect(decideStartCard({ ...state, ...changes }, request, terms).answer.outcome).toBe('started')
})

test('throws when the attempt that a key is bound to has no card page', () => {
  expect(() => decideStartCard({ ...state, bound }, request, terms)).toThrow('pi_failed')
})
