import { countersOf, type Outcome } from './outcome-counters'

const settled = {
  result: 'settled',
  statusBefore: 'pending',
  kind: 'callback',
  strength: 'E3',
  disposition: 'merchant',
} as Outcome

test.each<[string, Partial<Outcome>, string[]]>([
  ['an ordinary payment', {}, []],
  ['money after we gave up', { statusBefore: 'expired' }, ['late_success']],
  ['money after a failure', { statusBefore: 'failed' }, ['late_success']],
  [
    'a second payment',
    { disposition: 'suspense_duplicate' },
    ['double_payment', 'suspense_duplicate'],
  ],
  ['another amount', { disposition: 'suspense_mismatch' }, ['suspense_mismatch']],
  ['no payee', { disposition: 'suspense_unmatched' }, ['suspense_unmatched']],
  ['a "no" after the money', { result: 'contradiction', disposition: null }, ['contradiction']],
  ['an unreadable body', { result: 'parked', disposition: null }, ['inbox_parked']],
  [
    'a callback that is not in order',
    { result: 'kept', strength: 'E2', disposition: null },
    ['callback_mismatch'],
  ],
  [
    'a query without a verdict',
    { result: 'kept', kind: 'query_answer', strength: 'E4', disposition: null },
    [],
  ],
  ['a receipt twice', { result: 'already_settled', disposition: null }, []],
])('raises the counters of %s', (_, changes, news) => {
  expect(countersOf({ ...settled, ...changes })).toEqual(news)
})
