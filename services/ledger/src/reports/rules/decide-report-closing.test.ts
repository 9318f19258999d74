import {
  askReportClosing,
  decideReportClosing,
  type ReportClosingState,
} from './decide-report-closing'

const subject = 'mpesa:QK12345678'
const act = { operator: 'op_2', note: 'it is on no statement' }
const listed = { isListed: true, isPosted: false, closing: undefined }

test.each([
  [
    'was closed, and its money has come since',
    { closing: 'closed', isPosted: true },
    'report_closed',
  ],
  ['was closed', { closing: 'closed', isListed: false }, 'report_closed'],
  ['has its money in the journal', { isPosted: true, closing: 'asked' }, 'report_posted'],
  ['is on no list', { isListed: false, closing: 'asked' }, 'report_not_found'],
  ['another asked to close', { closing: 'asked' }, 'closing_underway'],
  ['waits for its receipt', {}, 'asked'],
] as const)('a request to close a report that %s (%p) returns %s', (_, changes, outcome) => {
  const action = { ...act, did: 'report_closing_asked', subject }
  expect(
    askReportClosing({ ...listed, ...changes }, { ...act, subject, closingId: 'rc_1' }),
  ).toEqual(outcome === 'asked' ? { outcome, action } : { outcome })
})

const request: ReportClosingState = { subject, status: 'asked', askedBy: 'op_1', isPosted: false }
const agree = { ...act, isAgreed: true }
const withdraw = { ...act, isAgreed: false }

test.each([
  ['the closing does not exist', undefined, agree, 'closing_not_found'],
  ['it was agreed to', { ...request, status: 'closed' as const }, withdraw, 'closing_decided'],
  ['it was withdrawn', { ...request, status: 'withdrawn' as const }, agree, 'closing_decided'],
  [
    'its requester agrees',
    { ...request, isPosted: true },
    { ...agree, operator: 'op_1' },
    'needs_another',
  ],
  ['the money has come', { ...request, isPosted: true }, agree, 'report_posted'],
])('a decision about a closing changes nothing when %s', (_, state, decision, outcome) => {
  expect(decideReportClosing(state, decision)).toEqual({ outcome })
})

test('the approval of another operator closes the report', () => {
  const action = { ...act, did: 'report_closed', subject }
  expect(decideReportClosing(request, agree)).toEqual({
    outcome: 'closed',
    writes: { status: 'closed', action },
  })
})

test.each(['op_1', 'op_2'])(
  '%s may withdraw a closing, also when the money has come',
  (operator) => {
    const action = { operator, note: act.note, did: 'report_closing_withdrawn', subject }
    expect(decideReportClosing({ ...request, isPosted: true }, { ...withdraw, operator })).toEqual({
      outcome: 'withdrawn',
      writes: { status: 'withdrawn', action },
    })
  },
)
