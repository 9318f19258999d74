import { decideEnrollment, enrollOperator } from './decide-enrollment'
import { enrolled, founderOne, retired, toBeEnrolled, stateOf } from './operators.harness'

const key = { operatorId: 'op_new', name: 'new', subject: 'new', by: 'op_1' }
const own = { ...key, by: 'op_new' }

test.each([
  ['a key that is enrolled', [enrolled('op_new', 'new')], 'enrolled'],
  ['a key that was asked for', [toBeEnrolled('op_new', 'new')], 'asked'],
  ['a key that was retired', [retired('op_new', 'other')], 'retired'],
  ['a key of another name', [enrolled('op_new', 'other')], 'name_taken'],
  ['the name of another key', [enrolled('op_2', 'new')], 'name_taken'],
  ['a key of another person', [{ ...enrolled('op_new', 'new'), subject: 'p2' }], 'subject_taken'],
  ['the person of another key', [{ ...enrolled('op_2', 'two'), subject: 'new' }], 'subject_taken'],
  [
    'the person of a key that was asked for',
    [{ ...toBeEnrolled('op_2', 'two'), subject: 'new' }],
    'subject_taken',
  ],
  ['the name of a key that was asked for', [toBeEnrolled('op_2', 'new')], 'name_taken'],
] as const)('enrolling writes nothing for %s', (_, known, applied) => {
  expect(enrollOperator(stateOf(known), key)).toEqual({ applied })
  expect(enrollOperator(stateOf(known), own)).toEqual({ applied })
})

test('an operator requests the enrollment of another key, also under the name of a retired operator', () => {
  const action = { operator: 'op_1', did: 'enrollment_asked', subject: 'op_new', note: 'new' }
  expect(enrollOperator(stateOf([founderOne, retired('op_2', 'new')]), key)).toEqual({
    applied: 'asked',
    writes: { founder: null, askedBy: 'op_1', enrolledAt: null, action },
  })
})

test.each([
  ['none', [], 1],
  ['the first', [founderOne], 2],
  ['the second', [{ ...founderOne, founder: 2 }], 1],
  ['a retired first', [{ ...retired('op_1', 'one'), founder: 1 }], 2],
] as const)(
  'a key that signs for itself is enrolled at once when the operators are: %s',
  (_, known, founder) => {
    const action = { operator: 'op_new', did: 'enrolled', subject: 'op_new', note: 'new' }
    expect(enrollOperator(stateOf(known), own)).toEqual({
      applied: 'enrolled',
      writes: { founder, askedBy: null, enrolledAt: 7, action },
    })
  },
)

test('a third key that signs for itself is refused: it needs an enrolled operator', () => {
  const known = [founderOne, { ...enrolled('op_2', 'two'), founder: 2 }]
  expect(enrollOperator(stateOf(known), own)).toEqual({ applied: 'needs_enrolled' })
})

const agree = { operatorId: 'op_new', isAgreed: true, by: 'op_2' }

test.each([
  ['the operator does not exist', [], 'operator_not_found'],
  ['the key is enrolled', [enrolled('op_new', 'new')], 'enrolled'],
  ['the key is retired', [retired('op_new', 'new')], 'retired'],
] as const)('a decision about an enrollment changes nothing when %s', (_, known, applied) => {
  expect(decideEnrollment(stateOf(known), agree)).toEqual({ applied })
  expect(decideEnrollment(stateOf(known), { ...agree, isAgreed: false })).toEqual({ applied })
})

const answer = stateOf([toBeEnrolled('op_new', 'new')])

test('the operator who requested the enrollment cannot approve it', () => {
  expect(decideEnrollment(answer, { ...agree, by: 'op_1' })).toEqual({ applied: 'needs_another' })
})

test('the approval of another operator enrols the key', () => {
  const action = { operator: 'op_2', did: 'enrolled', subject: 'op_new', note: 'new' }
  const writes = { becomes: 'enrolled', action }
  expect(decideEnrollment(answer, agree)).toEqual({ applied: 'enrolled', writes })
})

test.each(['op_1', 'op_2'])('%s, the requester or another, can withdraw the enrollment', (by) => {
  const action = { operator: by, did: 'enrollment_withdrawn', subject: 'op_new', note: 'new' }
  const writes = { becomes: 'withdrawn', action }
  expect(decideEnrollment(answer, { ...agree, by, isAgreed: false })).toEqual({
    applied: 'withdrawn',
    writes,
  })
})
