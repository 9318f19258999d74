import type { OperatorAction } from '../../refunds/rules/state'
import type { Instant } from '../../evidence/rules/state'
import type { OperatorsState } from './operator'

export interface EnrollmentRequest {
  readonly operatorId: string
  readonly name: string
  readonly subject: string
  /** The operator who asks for it, or the id of the key itself, which signs for itself. */
  readonly by: string
}

export type EnrollOutcome =
  | 'enrolled'
  | 'asked'
  | 'needs_enrolled'
  | 'name_taken'
  | 'subject_taken'
  | 'retired'

export interface EnrollDecided {
  readonly applied: EnrollOutcome
  /** Absent where nothing changes. */
  readonly writes?: {
    readonly founder: number | null
    readonly askedBy: string | null
    readonly enrolledAt: Instant | null
    readonly action: OperatorAction
  }
}

const founders = [1, 2]

/**
 * Enrols a key. One of the first two keys ever, which signs for itself, is enrolled at once. Any other key is requested,
 * and another operator has to agree.
 */
export function enrollOperator(
  { now, operators }: OperatorsState,
  { operatorId, name, subject, by }: EnrollmentRequest,
): EnrollDecided {
  const known = operators.find(({ id }) => id === operatorId)
  if (known !== undefined) {
    if (known.retiredAt !== null) return { applied: 'retired' }
    if (known.name !== name) return { applied: 'name_taken' }
    if (known.subject !== subject) return { applied: 'subject_taken' }
    return { applied: known.enrolledAt === null ? 'asked' : 'enrolled' }
  }
  // The name of a retired operator may be given again, because operators are compared by their ids and not by names.
  if (operators.some((one) => one.name === name && one.retiredAt === null)) {
    return { applied: 'name_taken' }
  }
  if (operators.some((one) => one.subject === subject && one.retiredAt === null)) {
    return { applied: 'subject_taken' }
  }
  const act = { operator: by, subject: operatorId, note: name }
  if (by !== operatorId) {
    const action = { ...act, did: 'enrollment_asked' }
    const writes = { founder: null, askedBy: by, enrolledAt: null, action }
    return { applied: 'asked', writes }
  }
  const founder = founders.find((number) => operators.every((one) => one.founder !== number))
  if (founder === undefined) return { applied: 'needs_enrolled' }
  const action = { ...act, did: 'enrolled' }
  return { applied: 'enrolled', writes: { founder, askedBy: null, enrolledAt: now, action } }
}

export interface OperatorDecision {
  readonly operatorId: string
  readonly isAgreed: boolean
  readonly by: string
}

export type DecideEnrollmentOutcome =
  | 'enrolled'
  | 'withdrawn'
  | 'needs_another'
  | 'operator_not_found'
  | 'retired'

export interface EnrollmentDecided {
  readonly applied: DecideEnrollmentOutcome
  /** Absent where nothing changes. A withdrawn enrollment leaves nothing but the action. */
  readonly writes?: {
    readonly becomes: 'enrolled' | 'withdrawn'
    readonly action: OperatorAction
  }
}

/** Enrols an operator at the request of another, or withdraws that request. The operator who asked may only withdraw. */
export function decideEnrollment(
  { operators }: OperatorsState,
  { operatorId, isAgreed, by }: OperatorDecision,
): EnrollmentDecided {
  const known = operators.find(({ id }) => id === operatorId)
  if (known === undefined) return { applied: 'operator_not_found' }
  if (known.retiredAt !== null) return { applied: 'retired' }
  if (known.enrolledAt !== null) return { applied: 'enrolled' }
  if (isAgreed && known.askedBy === by) return { applied: 'needs_another' }
  const becomes = isAgreed ? 'enrolled' : 'withdrawn'
  const did = isAgreed ? 'enrolled' : 'enrollment_withdrawn'
  const action = { operator: by, did, subject: operatorId, note: known.name }
  return { applied: becomes, writes: { becomes, action } }
}
