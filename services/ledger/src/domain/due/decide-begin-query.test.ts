import { intentStatuses } from '../intent'
import { later } from '../settlement/state'
import { decideBeginQuery, type QueryState } from './decide-begin-query'

const now = Date.parse('2026-11-20T12:00:00Z') * 1_000
const every = 15
const due: QueryState = {
  ...{ now, id: 'pi_1', status: 'pending', queryAt: now, submittedAt: later(now, -4_000) },
  ...{ isEnded: false, receiptWanted: false, isReported: false },
}
const ended = { ...due, isEnded: true }
const askedAgain = (seconds: number) => ({
  ...{ id: 'pi_1', askedAt: now },
  queryAt: later(now, seconds),
})

test('hands out a status query as soon as it is due, and not before', () => {
  expect(decideBeginQuery(due, every)).toEqual(askedAgain(15))
  expect(decideBeginQuery({ ...due, queryAt: now + 1 }, every)).toBeUndefined()
  expect(decideBeginQuery({ ...due, queryAt: null }, every)).toBeUndefined()
})

test.each(intentStatuses.filter((status) => status !== 'failed'))(
  'queries an intent that ended as %s again, at longer intervals',
  (status) => {
    expect(decideBeginQuery({ ...ended, status }, every)).toEqual(askedAgain(1_000))
  },
)

test('queries a failed intent once', () => {
  const write = decideBeginQuery({ ...ended, status: 'failed' }, every)
  expect(write).toEqual({ id: 'pi_1', askedAt: now, queryAt: null })
})

test.each([{ receiptWanted: true }, { isReported: true }])(
  'queries a failed intent with %p more than once',
  (paid) => {
    expect(decideBeginQuery({ ...ended, ...paid, status: 'failed' }, every)).toEqual(
      askedAgain(1_000),
    )
  },
)
