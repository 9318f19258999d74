import { type Instant, later } from '../../evidence/rules/state'

const shape = /^[a-z0-9][a-z0-9.-]{0,30}[a-z0-9]$/

/**
 * An operator's name as it is kept: small letters a to z, digits, dots and dashes, 2 to 32 of them, so that no two look
 * alike. Undefined for any other. Names are for reading; operators are compared by their ids.
 */
export function readOperatorName(given: string): string | undefined {
  const name = given.trim().toLowerCase()
  return shape.test(name) ? name : undefined
}

/** As identity providers give them: ASCII, at most 255 characters, and no space inside. */
const subjectShape = /^[\x21-\x7e]{1,255}$/

/**
 * The person behind a key, as the identity provider of the console names them, in one spelling: two spellings of one person
 * must not make two operators. Undefined for a text that no identity provider gives.
 */
export function readOperatorSubject(given: string): string | undefined {
  const subject = given.normalize('NFKC').trim().toLowerCase()
  return subjectShape.test(subject) ? subject : undefined
}

/**
 * Whether two different operators have acted. A name from before keys (`legacy:NAME`) and a key may belong to one person,
 * so they do not count as two. The database's CHECKs have the same rule (`are_two_operators`).
 */
export function areTwoOperators(one: string | null, other: string): boolean {
  return one !== null && one !== other && isLegacy(one) === isLegacy(other)
}

function isLegacy(operator: string): boolean {
  return operator.startsWith('legacy:')
}

/** An operator with a key. A name from the time before keys (`legacy:NAME`) is not one of them. */
export interface Operator {
  readonly id: string
  readonly name: string
  /** The person behind the key, who has at most one key that is enrolled or asked for. */
  readonly subject: string
  /** 1 and 2 are the operators of the installation, who need no other to be enrolled. */
  readonly founder: number | null
  readonly askedBy: string | null
  readonly enrolledAt: Instant | null
  readonly retirementAskedBy: string | null
  readonly retiredAt: Instant | null
}

/** All operators, the retired ones too, as read under their one lock. */
export interface OperatorsState {
  readonly now: Instant
  readonly operators: readonly Operator[]
}

export interface ActState {
  readonly now: Instant
  readonly signedAt: Instant
  /** An act with the same nonce was kept before. */
  readonly isKept: boolean
}

/** `stale`: it was signed too long ago, or by a clock that is wrong. */
export type AcceptActOutcome = 'accepted' | 'stale' | 'repeated'

/** An act whose signature was verified is accepted once, close to the time at which it was signed. */
export function acceptAct(
  { now, signedAt, isKept }: ActState,
  lifeSeconds: number,
): AcceptActOutcome {
  if (later(signedAt, lifeSeconds) < now || later(now, lifeSeconds) < signedAt) return 'stale'
  return isKept ? 'repeated' : 'accepted'
}
