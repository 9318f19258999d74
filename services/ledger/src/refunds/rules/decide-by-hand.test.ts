import { refundStatuses } from './refund'
import { askRefundClosing, decideRefund, decideRefundClosing } from './decide-by-hand'
import type { RefundEnd } from './state'
import { type Changes, now, sent, stateOf } from './refunds.harness'

const [first, second] = ['op_1', 'op_2']
const request = { status: 'asked', decidedBy: null, decidedAt: null, nextActionAt: null } as const
const by = (operator: string, isAgreed = true) => ({ operator, isAgreed, note: 'the payer called' })
const action = (did: string, operator = second) => ({
  ...{ operator, did, subject: 'mpesa:R1', note: 'the payer called' },
})

describe('a decision about a refund', () => {
  const decide = (refund: Changes['refund'], decision = by(second)) =>
    decideRefund(stateOf({ refund: { ...request, ...refund } }), decision)

  test('of a second operator approves it to be sent, and posts nothing yet', () => {
    const { applied, writes } = decide({})
    expect(applied).toBe('approved')
    expect(writes).toMatchObject({ transfers: [], intents: [], action: action('refund_approved') })
    expect(writes?.refunds).toEqual([
      {
        ...{ ...sent, status: 'approved', decidedBy: second, decidedAt: now },
        ...{ endedAt: null, nextActionAt: now },
      },
    ])
  })

  test('posts at once a refund that the provider has made by itself, and sends nothing', () => {
    const { applied, writes } = decide({ sentBy: 'provider' })
    expect(applied).toBe('paid')
    expect(writes?.transfers).toHaveLength(1)
    expect(writes?.intents).toMatchObject([{ status: 'reversed' }])
    expect(writes?.refunds).toMatchObject([{ status: 'paid', endedAt: now, nextActionAt: null }])
  })

  test.each([
    ['the operator who requested it', { askedBy: second }],
    [
      'a keyed operator when a name of the time before keys requested it',
      { askedBy: 'legacy:ops1' },
    ],
  ])('cannot be an approval by %s: it needs another operator', (_, refund) => {
    expect(decide(refund)).toEqual({ applied: 'needs_another' })
    expect(decide({ ...refund, sentBy: 'provider' })).toEqual({ applied: 'needs_another' })
  })

  test.each(['asked', 'approved'] as const)(
    'withdraws a refund that is %s, also by the operator who asked for it, and moves nothing',
    (status) => {
      const { applied, writes } = decide({ status, sentBy: 'provider' }, by(first, false))
      expect(applied).toBe('withdrawn')
      expect(writes).toMatchObject({
        ...{ transfers: [], intents: [], action: action('refund_withdrawn', first) },
        refunds: [{ status: 'withdrawn', decidedBy: first, endedAt: now, nextActionAt: null }],
      })
    },
  )

  test('changes nothing once the refund was sent or decided, but can withdraw an approved one', () => {
    const decided = refundStatuses.filter((status) => status !== 'asked')
    for (const status of decided) {
      expect(decide({ status })).toEqual({ applied: 'refund_decided' })
      expect(decide({ status, sentBy: 'provider' })).toEqual({ applied: 'refund_decided' })
      if (status === 'approved') continue
      expect(decide({ status }, by(second, false))).toEqual({ applied: 'refund_decided' })
    }
  })
})

const silent = { nextActionAt: null } as const

describe('a request to close a refund', () => {
  const ask = (refund: Changes['refund']) =>
    askRefundClosing(stateOf({ refund: { ...silent, ...refund } }), {
      ...{ end: 'paid', operator: first, note: 'seen' },
    })

  test('posts nothing, and records the requester and the end', () => {
    const { applied, writes } = ask({})
    expect(applied).toBe('asked')
    expect(writes).toEqual({
      ...{ transfers: [], intents: [] },
      refunds: [{ ...sent, ...silent, closing: 'paid', closingAskedBy: first }],
      action: { ...action('closing_asked', first), note: 'paid: seen' },
    })
  })

  test('is refused while the provider is still queried, or another closing is open', () => {
    expect(ask({ nextActionAt: now })).toEqual({ applied: 'still_asked' })
    expect(ask({ closing: 'failed' })).toEqual({ applied: 'closing_underway' })
  })

  test('is refused unless the refund was sent and has no outcome', () => {
    for (const status of refundStatuses.filter((one) => one !== 'submitted')) {
      expect(ask({ status })).toEqual({ applied: 'not_sent_or_decided' })
    }
  })
})

describe('a decision about a closing', () => {
  const open = { ...silent, closing: 'paid', closingAskedBy: first } as const
  const decide = (refund: Changes['refund'], decision = by(second), end: RefundEnd = 'paid') =>
    decideRefundClosing(stateOf({ refund: { ...open, ...refund } }), { ...decision, end })

  test('as paid posts the refund', () => {
    const { applied, writes } = decide({})
    expect(applied).toBe('paid')
    expect(writes).toMatchObject({
      refunds: [{ status: 'paid', endedAt: now, closedBy: second, closing: 'paid' }],
      intents: [{ status: 'reversed' }],
      action: action('closing_approved'),
    })
    expect(writes?.transfers).toHaveLength(1)
  })

  test('as failed posts nothing', () => {
    const { applied, writes } = decide({ closing: 'failed' }, by(second), 'failed')
    expect(applied).toBe('failed')
    expect(writes).toMatchObject({ transfers: [], intents: [], refunds: [{ status: 'failed' }] })
  })

  test('that withdraws it removes the request and posts nothing', () => {
    const { applied, writes } = decide({}, by(first, false))
    expect(applied).toBe('withdrawn')
    expect(writes).toEqual({
      ...{ transfers: [], intents: [], refunds: [{ ...sent, ...silent }] },
      action: action('closing_withdrawn', first),
    })
  })

  test.each([
    ['no_closing', { closing: null, closingAskedBy: null }],
    ['no_closing', { closedBy: first }],
    ['needs_another', { closingAskedBy: second }],
    ['needs_another', { closingAskedBy: 'legacy:ops1' }],
    ['provider_decided', { status: 'paid' }],
    ['provider_decided', { status: 'failed' }],
    ['closing_changed', { closing: 'failed' }],
  ] as const)('is answered %s, and writes nothing, for %j', (outcome, refund) => {
    expect(decide(refund)).toEqual({ applied: outcome })
  })
})
