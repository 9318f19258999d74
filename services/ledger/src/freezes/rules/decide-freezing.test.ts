import { askFreezing, decideFreezing, type FreezingState } from './decide-freezing'

const act = { operator: 'op_2', note: 'they called' }
const request = { ...act, freezingId: 'fr_1', accountId: 'acc_1' }

const [open, frozen] = [{ isFrozen: false }, { isFrozen: true }]

test.each([
  ['no wallet', undefined, true, 'wallet_not_found'],
  ['an open wallet', open, false, 'nothing_to_do'],
  ['a frozen wallet', frozen, true, 'nothing_to_do'],
  ['an open wallet', open, true, 'asked'],
  ['a frozen wallet', frozen, false, 'asked'],
] as const)(
  'a request about %s (%p) to set frozen to %p returns %s',
  (_, wallet, shallFreeze, outcome) => {
    const action = { ...act, did: 'freezing_asked', subject: 'acc_1' }
    expect(askFreezing({ wallet, isUnderway: false }, { ...request, shallFreeze })).toEqual(
      outcome === 'asked' ? { outcome, action } : { outcome },
    )
  },
)

test('refuses a second request while a freezing or thawing of the wallet waits for approval', () => {
  const ask = (shallFreeze: boolean) =>
    askFreezing({ wallet: open, isUnderway: true }, { ...request, shallFreeze })
  expect(ask(true)).toEqual({ outcome: 'freezing_underway' })
  expect(ask(false)).toEqual({ outcome: 'nothing_to_do' })
})

const input: FreezingState = {
  ...{ now: 7, accountId: 'acc_1', shallFreeze: true },
  ...{ status: 'asked', askedBy: 'op_1' },
}
const agree = { ...act, isAgreed: true }
const withdraw = { ...act, isAgreed: false }

test.each([
  ['the request does not exist', undefined, agree, 'freezing_not_found'],
  ['it was done', { ...input, status: 'done' as const }, withdraw, 'freezing_decided'],
  ['it was withdrawn', { ...input, status: 'withdrawn' as const }, agree, 'freezing_decided'],
  ['its requester agrees', input, { ...agree, operator: 'op_1' }, 'needs_another'],
  [
    'its requester agrees, who is an operator from before keys',
    { ...input, askedBy: 'legacy:a' },
    { ...agree, operator: 'legacy:a' },
    'needs_another',
  ],
])('a decision about a freezing changes nothing when %s', (_, state, decision, outcome) => {
  expect(decideFreezing(state, decision)).toEqual({ outcome })
})

test.each([
  ['frozen', input, 7],
  ['thawed', { ...input, shallFreeze: false }, null],
] as const)('the approval of another operator makes the wallet %s', (outcome, state, frozenAt) => {
  expect(decideFreezing(state, agree)).toEqual({
    outcome,
    writes: {
      status: 'done',
      wallet: { accountId: 'acc_1', frozenAt },
      action: { ...act, did: outcome, subject: 'acc_1' },
    },
  })
})

test.each(['op_1', 'op_2'])(
  '%s may withdraw a freezing, and the wallet stays as it is',
  (operator) => {
    const action = { operator, note: act.note, did: 'freezing_withdrawn', subject: 'acc_1' }
    expect(decideFreezing(input, { ...withdraw, operator })).toEqual({
      outcome: 'withdrawn',
      writes: { status: 'withdrawn', action },
    })
  },
)
