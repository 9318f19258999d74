import { readOperatorName } from './operator'

test.each([
  ['Ops1', 'ops1'],
  [' amina.w-k ', 'amina.w-k'],
])('%p is kept as %p', (given, kept) => {
  expect(readOperatorName(given)).toBe(kept)
})

test.each(['a', '', 'ops 1', 'оps1', 'ops_1', 'x'.repeat(33)])('%p is no name', (given) => {
  expect(readOperatorName(given)).toBeUndefined()
})
