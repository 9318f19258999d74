import type { OperatorAction } from '../../refunds/rules/state'
import type { OperatorDecision } from './decide-enrollment'
import type { Operator, OperatorsState } from './operator'

export type AskRetirementOutcome = 'asked' | 'retired' | 'too_few_left' | 'operator_not_found'

export interface AskRetirementDecided {
  readonly applied: AskRetirementOutcome
  /** Absent where nothing is asked for. */
  readonly action?: OperatorAction
}

/** Asks to retire an operator, whose key is accepted until another operator agrees. */
export function askRetirement(
  { operators }: OperatorsState,
  { operatorId, by }: { readonly operatorId: string; readonly by: string },
): AskRetirementDecided {
  const known = operators.find(({ id, enrolledAt }) => id === operatorId && enrolledAt !== null)
  if (known === undefined) return { applied: 'operator_not_found' }
  if (known.retiredAt !== null) return { applied: 'retired' }
  if (known.retirementAskedBy !== null) return { applied: 'asked' }
  if (!leavesTwo(operators, known)) return { applied: 'too_few_left' }
  const action = { operator: by, did: 'retirement_asked', subject: operatorId, note: known.name }
  return { applied: 'asked', action }
}

/**
 * Whether two operators are left without this one. With fewer, no request could be agreed to any more, not even an
 * enrollment.
 */
function leavesTwo(operators: readonly Operator[], { id }: Operator): boolean {
  const left = operators.filter(
    (one) => one.id !== id && one.enrolledAt !== null && one.retiredAt === null,
  )
  return left.length >= 2
}

/** A request of an operator about which no other operator has decided yet. */
export interface PendingRequest {
  readonly kind:
    | 'placement'
    | 'freezing'
    | 'report_closing'
    | 'report_posting'
    | 'refund'
    | 'closing'
    | 'enrollment'
    | 'retirement'
  readonly id: string
  /** The subject of its recorded actions. */
  readonly subject: string
}

export interface RetirementState extends OperatorsState {
  /** What the operator asked for about money. */
  readonly requests: readonly PendingRequest[]
}

export type DecideRetirementOutcome =
  | 'retired'
  | 'withdrawn'
  | 'needs_another'
  | 'too_few_left'
  | 'operator_not_found'
  | 'not_asked'

export interface RetirementDecided {
  readonly applied: DecideRetirementOutcome
  /** Absent where nothing changes. */
  readonly writes?: {
    readonly becomes: 'retired' | 'enrolled'
    readonly withdrawn: readonly PendingRequest[]
    readonly actions: readonly OperatorAction[]
  }
}

/**
 * Retires an operator at the request of another, or withdraws that request. The operator who asked may only withdraw.
 * Pending requests of the retired operator are withdrawn, so that two enrolled operators decide about each.
 */
export function decideRetirement(
  { operators, requests }: RetirementState,
  { operatorId, isAgreed, by }: OperatorDecision,
): RetirementDecided {
  const known = operators.find(({ id, enrolledAt }) => id === operatorId && enrolledAt !== null)
  if (known === undefined) return { applied: 'operator_not_found' }
  if (known.retiredAt !== null) return { applied: 'retired' }
  if (known.retirementAskedBy === null) return { applied: 'not_asked' }
  const act = { operator: by, subject: operatorId, note: known.name }
  if (!isAgreed) {
    const actions = [{ ...act, did: 'retirement_withdrawn' }]
    return { applied: 'withdrawn', writes: { becomes: 'enrolled', withdrawn: [], actions } }
  }
  if (known.retirementAskedBy === by) return { applied: 'needs_another' }
  if (!leavesTwo(operators, known)) return { applied: 'too_few_left' }
  const withdrawn = [...requests, ...requestsAboutOperators(operators, known)]
  const actions = [{ ...act, did: 'retired' }, ...withdrawn.map((one) => withdrawalOf(one, by))]
  return { applied: 'retired', writes: { becomes: 'retired', withdrawn, actions } }
}

function requestsAboutOperators(
  operators: readonly Operator[],
  by: Operator,
): readonly PendingRequest[] {
  return operators.flatMap(({ id, askedBy, enrolledAt, retirementAskedBy, retiredAt }) => {
    if (askedBy === by.id && enrolledAt === null) return { kind: 'enrollment', id, subject: id }
    const isRetiring = retirementAskedBy === by.id && id !== by.id && retiredAt === null
    return isRetiring ? { kind: 'retirement', id, subject: id } : []
  })
}

function withdrawalOf({ kind, subject }: PendingRequest, by: string): OperatorAction {
  const note = 'the operator who asked is retired'
  return { operator: by, did: `${kind}_withdrawn`, subject, note }
}
