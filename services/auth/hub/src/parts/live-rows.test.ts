import { countNewlyPaid, nextPollMs, withFresh } from './live-rows'

const list = (ids: string, hasMore: boolean) => ({
  rows: Array.from(ids, (id) => ({ id })),
  hasMore,
})

test.each([
  [
    'a new row stands first, and later pages stay',
    list('cba', true),
    list('dcb', true),
    list('dcba', true),
  ],
  ['a row that left the list is gone', list('dcba', false), list('dba', false), list('dba', false)],
  [
    'a list beyond the known one begins anew',
    list('cba', false),
    list('gfe', true),
    list('gfe', true),
  ],
  ['an older row moves up where one left', list('dcb', true), list('dba', true), list('dba', true)],
  ['the last page ends the list', list('dcba', true), list('dc', false), list('dc', false)],
  ['an empty list takes its first row', list('', false), list('a', false), list('a', false)],
  ['a list whose rows all left is empty', list('ba', false), list('', false), list('', false)],
])('%s', (_, known, fresh, after) => {
  expect(withFresh(known, fresh)).toEqual(after)
})

const row = (id: string, status: string) => ({ id, status })
const open = row('a', 'open')
const paid = row('a', 'completed')

test.each([
  ['counts an open row that was paid since', [open], [paid], 1],
  ['does not count a row that was known as paid', [paid], [paid], 0],
  ['counts a new row that is paid already', [open], [row('b', 'completed'), open], 1],
  [
    'does not count an older paid row that moved up',
    [row('b', 'open')],
    [row('b', 'open'), paid],
    0,
  ],
  ['counts a paid row where the list was empty', [], [paid], 1],
  ['does not count a row that expired', [open], [row('a', 'expired')], 0],
])('%s', (_, known, fresh, count) => {
  expect(countNewlyPaid(known, fresh)).toBe(count)
})

test('reads again within 2 s, and less often after failures', () => {
  expect([0, 1, 2, 10].map(nextPollMs)).toEqual([1_500, 3_000, 6_000, 60_000])
})
