import { promptTimes } from '@malipo/kernel/prompts'
import { later } from '../../evidence/rules/state'
import { queueSeconds } from './decide-start'
import {
  type BeginSubmitTerms,
  cardLifeSeconds,
  decideBeginSubmit,
  type Reserved,
  type SubmitWrite,
  type WaitingPrompt,
  decideRecordSubmit,
  type RecordedSubmit,
} from './decide-submit'
import { intentStatuses, type IntentStatus } from './intent'

const now = 1_800_000_000_000_001
const ago = (seconds: number) => later(now, -seconds)
const terms: BeginSubmitTerms = {
  promptTimes,
  promptSeconds: { mpesa: 60, mtn_momo: 300, airtel_money: 180 },
  cardQueryAfterSeconds: 20,
}
const phone = '254708374149'
const reserved: Reserved = {
  ...{ now, id: 'pi_1', status: 'reserved', createdAt: ago(2), deadlineAt: later(now, 58) },
  ...{ queuedAt: null, isCheckoutPaid: false, isWalletFrozen: false },
  channel: { kind: 'prompt', rail: 'mpesa', phone, others: [], waiting: [] },
}
const behind = (seconds: number, rail: 'mpesa' | 'mtn_momo' | 'airtel_money' = 'mpesa') =>
  ({
    channel: {
      kind: 'prompt',
      rail: 'mpesa',
      phone,
      others: [{ rail, sentAt: ago(seconds) }],
      waiting: [],
    },
  }) as const
const waits: WaitingPrompt = {
  ...{ id: 'pi_2', createdAt: ago(3), deadlineAt: later(now, 57), isCheckoutPaid: false },
}
const after = (waiting: Partial<WaitingPrompt>): Partial<Reserved> => ({
  channel: {
    kind: 'prompt',
    rail: 'mpesa',
    phone,
    others: [],
    waiting: [{ ...waits, ...waiting }],
  },
})
const ended: Partial<SubmitWrite> = {
  ...{ status: 'failed', event: 'withheld', submittedAt: null, endedAt: now },
  ...{ deadlineAt: null, nextActionAt: null, queryAt: null },
}
const queued: Partial<SubmitWrite> = {
  ...{ status: 'reserved', event: 'reserved', cause: null, queuedAt: now, endedAt: null },
  ...{ nextActionAt: later(now, 1), deadlineAt: later(now, 103), submittedAt: null, queryAt: null },
}

test('a payer whose prompt was given up behind the longest prompt gets a prompt when trying again at the time that the page says', () => {
  const toldSeconds = 120
  const longest = Math.max(...Object.values(promptTimes).map((times) => times.promptSeconds))
  const sentAgo = queueSeconds + toldSeconds + queueSeconds
  expect(sentAgo).toBeGreaterThanOrEqual(longest)
  const again = { createdAt: ago(queueSeconds), deadlineAt: later(now, 15), queuedAt: ago(88) }
  const { isTaken } = decideBeginSubmit(
    { ...reserved, ...behind(sentAgo, 'mtn_momo'), ...again },
    terms,
  )
  expect(isTaken).toBe(true)
})

test.each<[string, Partial<Reserved>, Partial<SubmitWrite>]>([
  [
    'is submitted, with the times of its rail',
    {},
    {
      ...{ status: 'submitted', event: 'submitted', cause: null, submittedAt: now, endedAt: null },
      ...{ deadlineAt: later(now, 150), nextActionAt: later(now, 75), queryAt: later(now, 75) },
    },
  ],
  [
    'over Airtel is submitted with the times of Airtel',
    { channel: { kind: 'prompt', rail: 'airtel_money', phone, others: [], waiting: [] } },
    { status: 'submitted', deadlineAt: later(now, 240), queryAt: later(now, 180) },
  ],
  [
    'by card has its deadline half a minute after its page closes',
    { channel: { kind: 'page', expiresAt: later(now, 900) } },
    { status: 'submitted', deadlineAt: later(now, 930), nextActionAt: later(now, 20) },
  ],
  ['keeps the time at which it was queued', { queuedAt: ago(9) }, { queuedAt: ago(9) }],
  ['behind a prompt on its phone is queued', behind(59), queued],
  [
    'that is still behind a prompt keeps its place and its deadline',
    { ...behind(59), queuedAt: ago(1), deadlineAt: later(now, 200) },
    { queuedAt: ago(1), deadlineAt: later(now, 200) },
  ],
  ['behind a prompt of another rail waits until that closes', behind(299, 'mtn_momo'), queued],
  ['behind a prompt that has closed is submitted', behind(60), { status: 'submitted' }],
  ['is queued behind an earlier one that may still be sent', after({}), queued],
  [
    'is queued behind one that was created at the same moment and has a lesser id',
    after({ createdAt: ago(2), id: 'pi_0' }),
    queued,
  ],
  [
    'is not queued behind one that was created at the same moment and has a greater id',
    after({ createdAt: ago(2) }),
    { status: 'submitted' },
  ],
  ['is not queued behind a later one', after({ createdAt: ago(1) }), { status: 'submitted' }],
  ['does not wait for an earlier overdue one', after({ deadlineAt: now }), { status: 'submitted' }],
  [
    'does not wait for one without a deadline',
    after({ deadlineAt: null }),
    { status: 'submitted' },
  ],
  [
    'is not queued behind an earlier one whose checkout was paid',
    after({ isCheckoutPaid: true }),
    { status: 'submitted' },
  ],
  [
    'is not queued behind an earlier one that has waited for 90 seconds',
    after({ createdAt: ago(90) }),
    { status: 'submitted' },
  ],
  [
    'is queued behind an earlier one that has waited for 89 seconds',
    after({ createdAt: ago(89) }),
    { status: 'reserved' },
  ],
  [
    'that has waited for 90 seconds is submitted when the phone is free, whatever else waits for the phone',
    { ...after({ createdAt: ago(90) }), createdAt: ago(90), deadlineAt: later(now, 15) },
    { status: 'submitted' },
  ],
  [
    'behind a prompt for 90 seconds is given up',
    { ...behind(1), createdAt: ago(90) },
    { ...ended, cause: 'session_open' },
  ],
  [
    'behind a prompt for 89 seconds stays queued',
    { ...behind(1), createdAt: ago(89) },
    { ...queued, deadlineAt: later(now, 58) },
  ],
  [
    'behind a prompt for 90 seconds is given up even when its deadline has passed',
    { ...behind(1), createdAt: ago(90), deadlineAt: now },
    { ...ended, cause: 'session_open' },
  ],
  ['of a paid checkout is withheld', { isCheckoutPaid: true }, { ...ended, cause: 'not_started' }],
  ['to a frozen wallet is withheld', { isWalletFrozen: true }, { ...ended, cause: 'not_started' }],
  [
    'of a paid checkout is withheld even when its deadline has passed',
    { isCheckoutPaid: true, deadlineAt: now },
    { ...ended, cause: 'not_started' },
  ],
  [
    'of a paid checkout is still queued while it is behind a prompt',
    { ...behind(1), isCheckoutPaid: true },
    { status: 'reserved' },
  ],
])('an attempt %s', (_, changes, write) => {
  const decided = decideBeginSubmit({ ...reserved, ...changes }, terms)
  expect(decided.write).toMatchObject({ id: 'pi_1', ...write })
  expect(decided.isTaken).toBe(decided.write?.status === 'submitted')
})

test.each<[string, Partial<Reserved>]>([
  ['whose deadline is now', { deadlineAt: now }],
  ['without a deadline', { deadlineAt: null }],
  ['whose deadline is now, behind a prompt', { ...behind(1), deadlineAt: now }],
])('an attempt %s is not submitted and not changed', (_, changes) => {
  expect(decideBeginSubmit({ ...reserved, ...changes }, terms)).toEqual({
    isTaken: false,
    write: undefined,
  })
})

test.each([
  'created',
  'submitted',
  'pending',
  'completed',
  'failed',
  'expired',
  'reversed',
] as const)('an attempt that is %s is not submitted and not changed', (status) => {
  expect(decideBeginSubmit({ id: 'pi_1', status }, terms)).toEqual({
    isTaken: false,
    write: undefined,
  })
})

test('the life of a card page is rounded up to whole seconds', () => {
  expect(cardLifeSeconds(now, later(now, 900) - 1)).toBe(900)
})

const stays = { isConflict: false, change: undefined } as const
const cannotBe = { isConflict: true, change: undefined } as const
const none = { unpaid: undefined, paid: undefined } as const
const named = {
  isConflict: false,
  change: { event: null, isOver: false, paymentEvents: none },
} as const
const acknowledged: RecordedSubmit = {
  status: 'pending',
  isConflict: false,
  change: { event: 'acknowledged', isOver: false, paymentEvents: none },
}
const over: RecordedSubmit = {
  status: 'failed',
  isConflict: false,
  change: {
    event: 'refused',
    isOver: true,
    // No `payment.failed` is sent for a checkout that is paid already.
    paymentEvents: { unpaid: 'payment.failed', paid: undefined },
  },
}

test.each([
  ['created', { ...cannotBe, status: 'created' }],
  ['reserved', { ...cannotBe, status: 'reserved' }],
  ['submitted', acknowledged],
  ['pending', { ...named, status: 'pending' }],
  ['completed', { ...named, status: 'completed' }],
  ['failed', { ...named, status: 'failed' }],
  ['expired', { ...named, status: 'expired' }],
  ['reversed', { ...named, status: 'reversed' }],
] as const)(
  '"accepted" makes only a submitted attempt pending: one that is %s',
  (status, recorded) => {
    expect(decideRecordSubmit({ status, isReported: false }, 'accepted')).toEqual(recorded)
  },
)

const refused = [
  ['created', { ...cannotBe, status: 'created' }],
  ['reserved', { ...cannotBe, status: 'reserved' }],
  ['submitted', over],
  ['pending', { ...cannotBe, status: 'pending' }],
  ['completed', { ...cannotBe, status: 'completed' }],
  ['failed', { ...stays, status: 'failed' }],
  ['expired', { ...stays, status: 'expired' }],
  ['reversed', { ...cannotBe, status: 'reversed' }],
] as const

test.each(refused)(
  '"refused" fails only a submitted attempt: one that is %s',
  (status, recorded) => {
    expect(decideRecordSubmit({ status, isReported: false }, 'refused')).toEqual(recorded)
  },
)

test.each(refused)(
  '"not sent" fails only a submitted attempt: one that is %s',
  (status, recorded) => {
    expect(decideRecordSubmit({ status, isReported: false }, 'not_sent')).toEqual(recorded)
  },
)

test.each(intentStatuses)(
  'a call with an unknown outcome does not change an attempt that is %s',
  (status) => {
    expect(decideRecordSubmit({ status, isReported: false }, 'unknown')).toEqual({
      ...stays,
      status,
    })
  },
)

test.each<[IntentStatus, RecordedSubmit]>([
  ['submitted', { ...cannotBe, status: 'submitted' }],
  ['failed', { ...stays, status: 'failed' }],
  ['expired', { ...stays, status: 'expired' }],
])(
  'a refusal by the provider after a report of payment does not change the status of an attempt that is %s',
  (status, kept) => {
    const called = { status, isReported: true }
    expect(decideRecordSubmit(called, 'refused')).toEqual(kept)
    expect(decideRecordSubmit(called, 'not_sent')).toEqual(kept)
  },
)

test.each(intentStatuses)(
  'an acceptance by the provider has the same effect on an attempt that is %s with and without a report of payment',
  (status) => {
    const [reported, unreported] = [true, false].map((isReported) =>
      decideRecordSubmit({ status, isReported }, 'accepted'),
    )
    expect(reported).toEqual(unreported)
  },
)
