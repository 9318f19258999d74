import { failed, now, pending, settled } from '../../evidence/rules/decide-evidence.harness'
import type { Intent } from '../../evidence/rules/state'
import {
  askReportPosting,
  decideReportPosting,
  type PostingState,
  type ReportPosting,
} from './decide-report-posting'

const act = { operator: 'op_2', note: 'it is in the portal' }
const seen = { receipt: 'QK12345678', minor: 50_000n }
const request = { ...act, ...seen, postingId: 'rp_1', intentId: 'pi_1' }

const requested: ReportPosting = {
  ...{ ...seen, id: 'rp_1', intentId: 'pi_1', status: 'asked', askedBy: 'op_1' },
}
const agree = { ...act, isAgreed: true, messageId: 'pm_new' }

interface Changes extends Omit<Partial<PostingState>, 'intent'> {
  readonly intent?: Partial<Intent>
}

function stateOf({ intent, ...changes }: Changes = {}): PostingState {
  return {
    ...{ now, intent: { ...pending, ...intent }, card: undefined, payeeAccountId: 'acc_1' },
    ...{ wallet: 'open', isCheckoutPaid: false, isReported: true },
    ...{ isReceiptPosted: false, reportedFor: [], elsewhere: [], isUnderway: false },
    ...changes,
  }
}

const card = { feeMinor: 1_800n, expiresAt: now }
const cardIntent = `pi_${'0'.repeat(24)}`
const ofCard = { intent: { id: cardIntent, rail: 'card' }, card } as const
const cardReceipt = `${cardIntent}-1`

const refusals: [string, Changes, Partial<typeof seen>, string][] = [
  ['has its money', { intent: settled, isReported: false }, {}, 'report_posted'],
  ['was not reported ten minutes ago', { isReported: false }, {}, 'report_not_found'],
  ['was never sent', { intent: { status: 'reserved' } }, {}, 'report_not_found'],
  ['was asked for another amount', {}, { minor: 50_100n }, 'amount_not_asked'],
  ['is by card and the amount lacks the fee', ofCard, { receipt: cardReceipt }, 'amount_not_asked'],
  ['is to be posted by a receipt that is posted', { isReceiptPosted: true }, {}, 'receipt_posted'],
  [
    'is to be posted by a receipt that was reported for another payment',
    { reportedFor: [[]] },
    {},
    'receipt_elsewhere',
  ],
  [
    'is to be posted by a receipt that was reported for another payment, which has the money of a third receipt',
    { reportedFor: [['QK00000003']], elsewhere: ['QK00000002'] },
    {},
    'receipt_elsewhere',
  ],
  [
    'is to be posted by a receipt that was reported for two other payments, of which only one has the money of this attempt',
    { reportedFor: [['QK00000002'], []], elsewhere: ['QK00000002'] },
    {},
    'receipt_elsewhere',
  ],
  [
    'is by M-PESA and the receipt has small letters',
    {},
    { receipt: 'qk12345678' },
    'receipt_malformed',
  ],
  [
    'is by MTN and the receipt has a slash',
    { intent: { rail: 'mtn_momo' } },
    { receipt: '17/3' },
    'receipt_malformed',
  ],
  [
    'is by Airtel and the receipt is too short',
    { intent: { rail: 'airtel_money' } },
    { receipt: 'MP26' },
    'receipt_malformed',
  ],
  [
    'is by card and the receipt has the id of another attempt',
    ofCard,
    { receipt: `pi_${'1'.repeat(24)}-1`, minor: 51_800n },
    'receipt_malformed',
  ],
  [
    'is by card and the receipt lacks the id of the attempt',
    ofCard,
    { receipt: '1', minor: 51_800n },
    'receipt_malformed',
  ],
]

test.each(refusals)(
  'a posting is neither asked for nor agreed to where the attempt %s',
  (...row) => {
    const [, changes, differing, outcome] = row
    const state = stateOf(changes)
    expect(askReportPosting(state, { ...request, ...differing })).toEqual({ outcome })
    const posting = { ...requested, ...differing }
    expect(decideReportPosting(state, posting, agree)).toEqual({ outcome })
  },
)

test('an attempt is posted by the receipt of another payment if that payment has the money of this attempt', () => {
  const crossed = stateOf({ reportedFor: [['QK00000002']], elsewhere: ['QK00000002'] })
  expect(askReportPosting(crossed, request).outcome).toBe('asked')
  expect(decideReportPosting(crossed, requested, agree).outcome).toBe('posted')
})

test('a posting is asked for once, and not for an unknown attempt', () => {
  const action = { ...act, did: 'report_posting_asked', subject: 'pi_1' }
  expect(askReportPosting(stateOf(), request)).toEqual({ outcome: 'asked', action })
  expect(askReportPosting(stateOf({ isUnderway: true }), request)).toEqual({
    outcome: 'posting_underway',
  })
  expect(askReportPosting(undefined, request)).toEqual({ outcome: 'report_not_found' })
})

test.each([
  ['it was agreed to', { status: 'posted' as const }, 'op_2', 'posting_decided'],
  ['it was withdrawn', { status: 'withdrawn' as const }, 'op_2', 'posting_decided'],
  ['its requester agrees', {}, 'op_1', 'needs_another'],
])('a decision about a posting changes nothing when %s', (_, changes, operator, outcome) => {
  const decided = decideReportPosting(
    stateOf(),
    { ...requested, ...changes },
    { ...agree, operator },
  )
  expect(decided).toEqual({ outcome })
})

test.each(['op_1', 'op_2'])(
  '%s may withdraw a posting, also when the money has come',
  (operator) => {
    const action = { operator, note: act.note, did: 'report_posting_withdrawn', subject: 'pi_1' }
    const decision = { ...agree, operator, isAgreed: false }
    expect(decideReportPosting(stateOf({ intent: settled }), requested, decision)).toEqual({
      outcome: 'withdrawn',
      writes: { status: 'withdrawn', action },
    })
  },
)

test.each([
  ['in flight', {}],
  ['that has failed', failed],
])(
  'the approval of another operator settles an attempt %s, and stores what the operators read as a message',
  (_, intent) => {
    const { outcome, writes } = decideReportPosting(stateOf({ intent }), requested, agree)
    expect([outcome, writes?.status]).toEqual(['posted', 'posted'])
    expect(writes?.action).toEqual({ ...act, did: 'report_posted', subject: 'pi_1' })
    expect(writes?.settlement).toEqual({
      message: {
        ...{ id: 'pm_new', fact: 'receipt', strength: 'E4', result: 'settled' },
        receipt: 'QK12345678',
      },
      transfers: [
        {
          ...{ eventKey: 'receipt:mpesa:QK12345678', leg: 0, debit: 'float:mpesa' },
          ...{ credit: 'wallet:acc_1', minor: 50_000n, eventAt: now },
        },
      ],
      intent: expect.objectContaining({
        ...{ id: 'pi_1', status: 'completed', receipt: 'QK12345678', settledMinor: 50_000n },
        ...{ cause: null, queryAt: null, nextActionAt: null },
      }),
      paymentEvent: { type: 'checkout.completed', checkoutId: 'cs_1' },
    })
  },
)

test('a posting for a paid checkout is held as a duplicate, and a posting by card credits our fee', () => {
  const held = decideReportPosting(stateOf({ isCheckoutPaid: true }), requested, agree).writes
  expect(held?.settlement).toMatchObject({
    transfers: [{ credit: 'suspense:duplicate' }],
    suspense: { reason: 'duplicate', intentId: 'pi_1' },
  })
  const byCard = { ...requested, receipt: cardReceipt, minor: 51_800n }
  const { writes } = decideReportPosting(stateOf(ofCard), byCard, agree)
  expect(writes?.settlement?.transfers).toMatchObject([
    { debit: 'float:card', credit: 'wallet:acc_1', minor: 50_000n },
    { debit: 'float:card', credit: 'fee:card', minor: 1_800n },
  ])
})
