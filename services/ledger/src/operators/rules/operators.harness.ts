import type { Operator, OperatorsState } from './operator'

const request: Operator = {
  ...{ id: '', name: '', subject: '', founder: null, askedBy: 'op_1' },
  ...{ enrolledAt: null, retirementAskedBy: null, retiredAt: null },
}

/** An operator that `op_1` has asked to enrol. */
export const toBeEnrolled = (id: string, name: string): Operator => ({
  ...request,
  ...{ id, name, subject: name },
})

export const enrolled = (id: string, name: string): Operator => ({
  ...toBeEnrolled(id, name),
  enrolledAt: 1,
})

export const retired = (id: string, name: string): Operator => ({
  ...enrolled(id, name),
  ...{ retirementAskedBy: 'op_1', retiredAt: 2 },
})

export const founderOne: Operator = { ...enrolled('op_1', 'one'), founder: 1, askedBy: null }

export const stateOf = (operators: readonly Operator[]): OperatorsState => ({ now: 7, operators })
