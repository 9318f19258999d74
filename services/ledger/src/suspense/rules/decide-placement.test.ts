import {
  askPlacement,
  decidePlacement,
  decideWantedPayee,
  type Placement,
} from './decide-placement'
import { placing, toCheckout } from './placements.harness'

const [amina, brian] = ['op_amina', 'op_brian']
const subject = 'mpesa:QK1'
const input: Placement = { id: 'pl_1', subject, ...toCheckout, status: 'asked', askedBy: amina }
const paid = placing({ checkout: { id: 'cs_1', amountMinor: 50_000n, isPaid: true } })

describe('a request for a placement', () => {
  const request = {
    ...{ placement: { id: 'pl_1', subject, ...toCheckout }, operator: amina, note: 'called' },
  }

  test.each([
    ['is stored when the money may be placed', placing(), false, 'asked'],
    ['is refused while another for the receipt is open', placing(), true, 'placement_underway'],
    ['is refused for a paid checkout', paid, false, 'checkout_paid'],
    [
      'is refused because of a paid checkout before it is refused because of another request',
      paid,
      true,
      'checkout_paid',
    ],
  ])('%s', (_, state, isAsked, outcome) => {
    expect(askPlacement({ ...state, isAsked }, request).outcome).toBe(outcome)
  })

  test('posts nothing, and is recorded as an operator action', () => {
    expect(askPlacement({ ...placing(), isAsked: false }, request).writes).toEqual({
      request: request.placement,
      action: { operator: amina, did: 'placement_asked', subject, note: 'called' },
    })
  })
})

describe('a decision about a placement', () => {
  const decision = (isAgreed: boolean, operator: string) => ({
    ...{ isAgreed, operator, note: 'called', newIntentId: 'pi_1' },
  })

  test.each([
    [
      'places the money when another operator agrees',
      'asked',
      placing(),
      decision(true, brian),
      'placed',
    ],
    [
      'needs another operator when the requester agrees',
      'asked',
      placing(),
      decision(true, amina),
      'needs_another',
    ],
    [
      'needs another operator when the requester agrees for a paid checkout',
      'asked',
      paid,
      decision(true, amina),
      'needs_another',
    ],
    [
      'is refused when another operator agrees for a paid checkout',
      'asked',
      paid,
      decision(true, brian),
      'checkout_paid',
    ],
    [
      'withdraws the request when the requester withdraws',
      'asked',
      placing(),
      decision(false, amina),
      'withdrawn',
    ],
    [
      'withdraws the request when another operator withdraws, also for a paid checkout',
      'asked',
      paid,
      decision(false, brian),
      'withdrawn',
    ],
    [
      'is refused when the money was placed before',
      'placed',
      placing(),
      decision(true, brian),
      'placement_decided',
    ],
    [
      'is refused when the request was withdrawn before',
      'withdrawn',
      placing(),
      decision(false, amina),
      'placement_decided',
    ],
  ] as const)('%s', (...[, status, state, by, outcome]) => {
    const decided = decidePlacement(state, { ...input, status }, by)
    expect(decided.outcome).toBe(outcome)
    expect(decided.writes?.placement.status).toBe(
      outcome === 'placed' || outcome === 'withdrawn' ? outcome : undefined,
    )
    expect(decided.writes?.placing !== undefined).toBe(outcome === 'placed')
  })

  test.each([
    [true, 'placed'],
    [false, 'placement_withdrawn'],
  ])('with agreed = %s is recorded as the action %s', (isAgreed, did) => {
    const { writes } = decidePlacement(placing(), input, decision(isAgreed, brian))
    expect(writes?.action).toEqual({ operator: brian, did, subject, note: 'called' })
    expect(writes?.placement).toMatchObject({ id: 'pl_1', decidedBy: brian })
  })
})

describe('a payee whose lookup succeeded after the money was posted', () => {
  const state = placing({ checkout: undefined })
  const known = {
    ...{ payee: { accountId: 'acc_1', handle: 'duka' }, isWithinLimits: true, newIntentId: 'pi_1' },
  }

  test('gets the money for its handle, recorded as an action of the ledger itself', () => {
    const decided = decideWantedPayee(state, known)
    expect(decided?.placing.matched).toMatchObject({
      id: 'pi_1',
      accountId: 'acc_1',
      handle: 'duka',
    })
    const action = { operator: 'handles', did: 'placed', subject, note: 'the handle duka' }
    expect(decided?.action).toEqual(action)
  })

  test.each([
    ['the handle is unknown', state, { payee: undefined }],
    ['the amount is outside the limits', state, { isWithinLimits: false }],
    ['the wallet is frozen', { ...state, wallet: { accountId: 'acc_1', isOpen: false } }, {}],
    ['a refund of the money is asked for', { ...state, refunds: ['asked' as const] }, {}],
  ])('gets nothing when %s', (_, given, changes) => {
    expect(decideWantedPayee(given, { ...known, ...changes })).toBeUndefined()
  })
})
