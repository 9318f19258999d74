import type { Instant } from '../settlement/state'

/** An operator with a key. A name of the time before keys is none. */
export interface Operator {
  readonly id: string
  readonly name: string
  /** 1 and 2 are the operators of the installation, who need no other to be enrolled. */
  readonly founder: number | null
  readonly askedBy: string | null
  readonly enrolledAt: Instant | null
  readonly retirementAskedBy: string | null
  readonly retiredAt: Instant | null
}

/** All operators, the retired ones too, as they were behind their one lock. */
export interface OperatorsState {
  readonly now: Instant
  readonly operators: readonly Operator[]
}
