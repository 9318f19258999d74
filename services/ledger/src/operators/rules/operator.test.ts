import { acceptAct, areTwoOperators, readOperatorName, readOperatorSubject } from './operator'

test.each([
  ['Ops1', 'ops1'],
  [' amina.w-k ', 'amina.w-k'],
])('the operator name %p is stored as %p', (given, kept) => {
  expect(readOperatorName(given)).toBe(kept)
})

test.each(['a', '', 'ops 1', 'оps1', 'ops_1', 'x'.repeat(33)])(
  '%p is refused as the name of an operator',
  (given) => {
    expect(readOperatorName(given)).toBeUndefined()
  },
)

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

test.each(['Asha', ' asha ', 'ａsha', 'ASHA\n'])('the person %p is stored as asha', (given) => {
  expect(readOperatorSubject(given)).toBe('asha')
})

test.each(['', ' ', 'a b', 'аsha', 'x'.repeat(256)])('%p is refused as a person', (given) => {
  expect(readOperatorSubject(given)).toBeUndefined()
})

const second = 1_000_000
const act = { now: 1_000 * second, signedAt: 1_000 * second, isKept: false }

test.each([
  [700, false, 'accepted'],
  [1_300, false, 'accepted'],
  [700 - 1 / second, false, 'stale'],
  [1_300 + 1 / second, false, 'stale'],
  [1_000, true, 'repeated'],
  [600, true, 'stale'],
])(
  'an act that was signed at second %p and stored before (%p) is %s at second 1000',
  (at, isKept, outcome) => {
    expect(acceptAct({ ...act, signedAt: at * second, isKept }, 300)).toBe(outcome)
  },
)
