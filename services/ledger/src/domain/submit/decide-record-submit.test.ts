import { intentStatuses } from '../intent'
import { decideRecordSubmit, type RecordedSubmit } from './decide-record-submit'

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
    // A checkout that is paid already has no failed payment.
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
] as const)('the effect of "accepted" on an attempt that is %s', (status, recorded) => {
  expect(decideRecordSubmit(status, 'accepted')).toEqual(recorded)
})

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

test.each(refused)('the effect of "refused" on an attempt that is %s', (status, recorded) => {
  expect(decideRecordSubmit(status, 'refused')).toEqual(recorded)
})

test.each(refused)('the effect of "not sent" on an attempt that is %s', (status, recorded) => {
  expect(decideRecordSubmit(status, 'not_sent')).toEqual(recorded)
})

test.each(intentStatuses)(
  'a call with an unknown outcome does not change an attempt that is %s',
  (status) => {
    expect(decideRecordSubmit(status, 'unknown')).toEqual({ ...stays, status })
  },
)
