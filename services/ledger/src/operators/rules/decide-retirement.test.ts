import { askRetirement, decideRetirement } from './decide-retirement'
import { enrolled, retired, stateOf, toBeEnrolled } from './operators.harness'

const carol = enrolled('op_carol', 'carol')
const [amina, brian] = [enrolled('op_1', 'amina'), enrolled('op_2', 'brian')]
const ask = { operatorId: 'op_carol', by: 'op_1' }
const leaving = { ...carol, retirementAskedBy: 'op_1' }

test.each([
  ['the operator does not exist', [amina, brian], 'operator_not_found'],
  [
    'the operator is not enrolled yet',
    [amina, brian, toBeEnrolled('op_carol', 'carol')],
    'operator_not_found',
  ],
  ['the operator was retired', [amina, brian, retired('op_carol', 'carol')], 'retired'],
  ['a retirement is asked for already', [amina, leaving], 'asked'],
  ['one operator would be left', [amina, carol], 'too_few_left'],
  [
    'one operator and a retired one would be left',
    [amina, carol, retired('op_2', 'b')],
    'too_few_left',
  ],
  [
    'one operator and one not enrolled yet would be left',
    [amina, carol, toBeEnrolled('op_2', 'b')],
    'too_few_left',
  ],
] as const)('a request to retire an operator is refused when %s', (_, known, applied) => {
  expect(askRetirement(stateOf(known), ask)).toEqual({ applied })
})

test('a retirement can be requested when two other operators are left', () => {
  const action = { operator: 'op_1', did: 'retirement_asked', subject: 'op_carol', note: 'carol' }
  expect(askRetirement(stateOf([amina, brian, carol]), ask)).toEqual({ applied: 'asked', action })
})

const agree = { operatorId: 'op_carol', isAgreed: true, by: 'op_2' }
const decide = (
  known: Parameters<typeof stateOf>[0],
  decision: Partial<typeof agree> = {},
  requests: Parameters<typeof decideRetirement>[0]['requests'] = [],
) => decideRetirement({ ...stateOf(known), requests }, { ...agree, ...decision })

test.each([
  ['the operator does not exist', [amina, brian], 'operator_not_found'],
  ['the operator is not enrolled yet', [toBeEnrolled('op_carol', 'carol')], 'operator_not_found'],
  ['the operator was retired', [amina, brian, retired('op_carol', 'carol')], 'retired'],
  ['no retirement was asked for', [amina, brian, carol], 'not_asked'],
] as const)('a decision about a retirement changes nothing when %s', (_, known, applied) => {
  expect(decide(known)).toEqual({ applied })
  expect(decide(known, { isAgreed: false })).toEqual({ applied })
})

test('the requester cannot approve a retirement, and no approval may leave one operator alone', () => {
  expect(decide([amina, brian, leaving], { by: 'op_1' })).toEqual({ applied: 'needs_another' })
  expect(decide([amina, leaving])).toEqual({ applied: 'too_few_left' })
})

test.each(['op_1', 'op_2', 'op_carol'])(
  '%s, one of the three operators involved, can withdraw the retirement',
  (by) => {
    const actions = [
      { operator: by, did: 'retirement_withdrawn', subject: 'op_carol', note: 'carol' },
    ]
    expect(decide([amina, leaving], { by, isAgreed: false })).toEqual({
      applied: 'withdrawn',
      writes: { becomes: 'enrolled', withdrawn: [], actions },
    })
  },
)

test.each(['op_2', 'op_carol'])(
  'when %s approves, all pending requests of the retired operator are withdrawn',
  (by) => {
    const placement = { kind: 'placement', id: 'pl_1', subject: 'mpesa:QK1' } as const
    const others = [
      { ...toBeEnrolled('op_new', 'new'), askedBy: 'op_carol' },
      { ...enrolled('op_old', 'old'), askedBy: 'op_carol' },
      { ...enrolled('op_dalia', 'dalia'), retirementAskedBy: 'op_carol' },
      { ...retired('op_esther', 'esther'), retirementAskedBy: 'op_carol' },
    ]
    const { applied, writes } = decide([amina, brian, leaving, ...others], { by }, [placement])
    expect(applied).toBe('retired')
    expect(writes?.becomes).toBe('retired')
    expect(writes?.withdrawn).toEqual([
      placement,
      { kind: 'enrollment', id: 'op_new', subject: 'op_new' },
      { kind: 'retirement', id: 'op_dalia', subject: 'op_dalia' },
    ])
    const note = 'the operator who asked is retired'
    expect(writes?.actions).toEqual([
      { operator: by, did: 'retired', subject: 'op_carol', note: 'carol' },
      { operator: by, did: 'placement_withdrawn', subject: 'mpesa:QK1', note },
      { operator: by, did: 'enrollment_withdrawn', subject: 'op_new', note },
      { operator: by, did: 'retirement_withdrawn', subject: 'op_dalia', note },
    ])
  },
)

test('an operator’s request to retire themselves is not withdrawn by its approval', () => {
  const own = { ...carol, retirementAskedBy: 'op_carol' }
  expect(decide([amina, brian, own]).writes?.withdrawn).toEqual([])
})
