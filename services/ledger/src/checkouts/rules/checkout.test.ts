import { countries } from '@malipo/kernel/countries'
import type { AttemptFacts } from '../../intents/rules/attempt'
import {
  decideCreateCheckout,
  type CheckoutFacts,
  checkoutStatus,
  presentCheckout,
} from './checkout'

const own = 'aa'.repeat(32)
const checkoutId = 'cs_ke_1'

const earlier = {
  'a new key': undefined,
  'a key of the same input': { checkoutId, fingerprint: own },
  'a key of other input': { checkoutId, fingerprint: 'bb'.repeat(32) },
} as const
const amounts = { 'a good amount': 50_000n, 'a bad amount': 99n } as const
const wallets = { 'an open wallet': true, 'no open wallet': false } as const

test('the outcome of a create request, for each combination of key, amount and wallet', () => {
  const lines = Object.entries(earlier).flatMap(([key, made]) =>
    Object.entries(amounts).flatMap(([amount, amountMinor]) =>
      Object.entries(wallets).map(([wallet, isWalletOpen]) => {
        const state = { earlier: made, isWalletOpen }
        const request = { amountMinor, fingerprint: own }
        const decided = Object.values(decideCreateCheckout(state, request, countries.ke))
        return `${key}, ${amount}, ${wallet}: ${decided.join(' ')}`
      }),
    ),
  )
  expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
"
a new key, a good amount, an open wallet: create
a new key, a good amount, no open wallet: checkout_not_found
a new key, a bad amount, an open wallet: amount_outside_limits
a new key, a bad amount, no open wallet: amount_outside_limits
a key of the same input, a good amount, an open wallet: replayed cs_ke_1
a key of the same input, a good amount, no open wallet: replayed cs_ke_1
a key of the same input, a bad amount, an open wallet: replayed cs_ke_1
a key of the same input, a bad amount, no open wallet: replayed cs_ke_1
a key of other input, a good amount, an open wallet: idempotency_mismatch
a key of other input, a good amount, no open wallet: idempotency_mismatch
a key of other input, a bad amount, an open wallet: idempotency_mismatch
a key of other input, a bad amount, no open wallet: idempotency_mismatch
"
`)
})

test.each([
  ['99 minor units in Kenya', countries.ke, 99n, 'amount_outside_limits'],
  ['100 minor units in Kenya', countries.ke, 100n, 'create'],
  ['15,000,000 minor units in Kenya', countries.ke, 15_000_000n, 'create'],
  ['15,000,001 minor units in Kenya', countries.ke, 15_000_001n, 'amount_outside_limits'],
  ['half a shilling in Uganda', countries.ug, 50_050n, 'amount_outside_limits'],
] as const)(
  'accepts only amounts within the limits: %s',
  (_amount, country, amountMinor, outcome) => {
    const state = { earlier: undefined, isWalletOpen: true }
    const request = { amountMinor, fingerprint: undefined }
    expect(decideCreateCheckout(state, request, country)).toEqual({ outcome })
  },
)

const yesAndNo = [true, false]

test('the status of a checkout follows from completion, an attempt in flight and expiry', () => {
  const lines = yesAndNo.flatMap((isCompleted) =>
    yesAndNo.flatMap((isInFlight) =>
      yesAndNo.map((isTimeUp) => {
        const facts = { isCompleted, isInFlight, isTimeUp }
        const given = Object.entries(facts).flatMap(([name, holds]) => (holds ? [name] : []))
        return `${given.join(', ') || 'none'}: ${checkoutStatus(facts)}`
      }),
    ),
  )
  expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
   "
   isCompleted, isInFlight, isTimeUp: completed
   isCompleted, isInFlight: completed
   isCompleted, isTimeUp: completed
   isCompleted: completed
   isInFlight, isTimeUp: open
   isInFlight: open
   isTimeUp: expired
   none: open
   "
  `)
})

const at = (minute: number) => new Date(Date.UTC(2026, 10, 23, 9, minute))
const micros = (minute: number) => at(minute).getTime() * 1_000

const order = {
  ...{ checkoutId: 'cs_ke_1', accountId: 'acc_1', amountMinor: 100n },
  ...{ createdAt: at(0), expiresAt: at(30) },
}
const facts: CheckoutFacts = {
  ...{ order, now: micros(10), expiresAt: micros(30), isWalletOpen: true, cardEnabled: false },
  ...{ payBillNumber: undefined, attempts: [], payBillReports: [] },
}
const failed: AttemptFacts = {
  ...{ intentId: 'pi_1', status: 'failed', event: 'declined', rail: 'mpesa', phone: '254' },
  ...{ cause: 'cancelled', startedAt: at(1), isEnded: true, settledAt: undefined },
  ...{ settledMinor: undefined, receipt: undefined, disposition: undefined },
  ...{ isReceiptWanted: false, reportedAt: undefined, reports: [], isDeclinedByCallback: true },
  ...{ attemptReference: 'M1', queuedAt: undefined, submittedAt: at(1), deadlineAt: undefined },
  isPushUnanswered: false,
}
const inFlight: AttemptFacts = {
  ...{ ...failed, intentId: 'pi_2', status: 'pending', event: 'accepted', cause: undefined },
  isEnded: false,
}
const settled: AttemptFacts = {
  ...{ ...failed, intentId: 'pi_3', status: 'completed', event: 'confirmed', cause: undefined },
  ...{ settledAt: at(5), settledMinor: 100n, receipt: 'R1', disposition: 'merchant' },
}
const held = { isPosted: false, isClosed: false, reportedAt: at(8), heldUntil: micros(40) }
const late = { ...facts, now: micros(30) }

test.each<[string, CheckoutFacts, string]>([
  ['nothing has happened', facts, 'open'],
  ['its time is up', late, 'expired'],
  ['its time is up and an attempt is in flight', { ...late, attempts: [inFlight] }, 'open'],
  ['its time is up and a report is held', { ...late, payBillReports: [held] }, 'open'],
  [
    'its time is up and the held report is posted',
    { ...late, payBillReports: [{ ...held, isPosted: true }] },
    'expired',
  ],
  [
    'its time is up and the held report is closed',
    { ...late, payBillReports: [{ ...held, isClosed: true }] },
    'expired',
  ],
  [
    'its time is up and the report has been held for long enough',
    { ...late, payBillReports: [{ ...held, heldUntil: micros(30) }] },
    'expired',
  ],
  [
    'its time is up and the report holds nothing open',
    { ...late, payBillReports: [{ ...held, heldUntil: null }] },
    'expired',
  ],
  ['its money went to the merchant', { ...late, attempts: [settled] }, 'completed'],
  [
    'its money is held',
    { ...facts, attempts: [{ ...settled, disposition: 'suspense_mismatch' }] },
    'open',
  ],
])(
  'a checkout is completed once paid, open while it may be paid, and else expired: %s',
  (_, given, status) => {
    expect(presentCheckout(given).status).toBe(status)
  },
)

test('shows the attempt that settled the checkout, else the newest, and names the one in flight to watch', () => {
  const shown = (attempts: readonly AttemptFacts[]) => {
    const { payment, attempt, watchedIntentId, completedAt } = presentCheckout({
      ...facts,
      attempts,
    })
    return [payment?.intentId, attempt?.intentId, watchedIntentId, completedAt]
  }
  expect(shown([])).toEqual([undefined, undefined, undefined, undefined])
  expect(shown([failed])).toEqual(['pi_1', 'pi_1', undefined, undefined])
  expect(shown([failed, inFlight])).toEqual(['pi_2', 'pi_2', 'pi_2', undefined])
  expect(shown([settled, failed])).toEqual(['pi_3', 'pi_3', 'pi_3', at(5)])
})

test('a reported Pay Bill payment counts as "may have paid" until it is posted or closed', () => {
  const read = (...payBillReports: CheckoutFacts['payBillReports']) => {
    const { mayHavePaid, isFoundUnpaid, payBillReportedAt } = presentCheckout({
      ...facts,
      payBillReports,
    })
    return { mayHavePaid, isFoundUnpaid, payBillReportedAt }
  }
  const nothing = { mayHavePaid: false, isFoundUnpaid: false, payBillReportedAt: undefined }
  expect(read(held)).toEqual({ ...nothing, mayHavePaid: true, payBillReportedAt: at(8) })
  expect(read({ ...held, heldUntil: micros(9) })).toEqual({ ...nothing, mayHavePaid: true })
  expect(read({ ...held, isPosted: true })).toEqual(nothing)
  expect(read({ ...held, isPosted: true, isClosed: true })).toEqual(nothing)
  expect(read({ ...held, isClosed: true })).toEqual({ ...nothing, isFoundUnpaid: true })
  expect(read({ ...held, isClosed: true }, held)).toEqual({
    ...{ mayHavePaid: true, isFoundUnpaid: true, payBillReportedAt: at(8) },
  })
})

test('shows the time of the first report of payment that still waits', () => {
  const attempts = [
    { ...failed, reportedAt: at(7) },
    { ...failed, reportedAt: at(6) },
    { ...settled, disposition: 'suspense_mismatch', reportedAt: at(2) },
  ]
  expect(presentCheckout({ ...facts, attempts }).reportedAt).toEqual(at(6))
})
