import { differenceOf } from './difference'

test.each([
  ['equal values', 1, 1],
  ['an object with more than was expected', { a: 1 }, { a: 1, b: 2 }],
  ['lists of the same length, part by part', [{ a: 1 }], [{ a: 1, b: 2 }]],
])('finds no difference in %s', (_, expected, actual) => {
  expect(differenceOf(expected, actual)).toBeUndefined()
})

test.each([
  [
    'another value',
    { order: { status: 'paid' } },
    { order: { status: 'failed' } },
    'order.status is "failed", expected "paid"',
  ],
  ['a number that is text', { amount: 150 }, { amount: '150' }, 'amount is "150", expected 150'],
  ['an absent name', { a: 1 }, {}, 'a is absent, expected 1'],
  [
    'a longer list',
    [{ a: 1 }],
    [{ a: 1 }, { a: 2 }],
    'it has 2 items, expected 1: [{"a":1},{"a":2}]',
  ],
  [
    'nothing where an object was expected',
    { a: { b: 1 } },
    { a: null },
    'a is null, expected {"b":1}',
  ],
])('names the place of a difference: %s', (_, expected, actual, difference) => {
  expect(differenceOf(expected, actual)).toBe(difference)
})
