import { areTwoOperators, readOperatorName } from './operator'

test.each([
  ['Ops1', 'ops1'],
  [' amina.w-k ', 'amina.w-k'],
])('the operator name %p is stored as %p', (given, kept) => {
  expect(readOperatorName(given)).toBe(kept)
})

test.each(['a', '', 'ops 1', 'оps1', 'ops_1', 'x'.repeat(33)])('%p is no name', (given) => {
  expect(readOperatorName(given)).toBeUndefined()
})

test.each([
  ['op_1', 'op_2', true],
  ['op_1', 'op_1', false],
  ['legacy:a', 'legacy:b', true],
  ['legacy:a', 'op_1', false],
  ['op_1', 'legacy:a', false],
  [null, 'op_1', false],
])('whether %p and %p count as two operators is %p', (one, other, areTwo) => {
  expect(areTwoOperators(one, other)).toBe(areTwo)
})
