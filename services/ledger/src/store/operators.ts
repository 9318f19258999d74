import type { SignedAct } from '@malipo/runtime/operator-signature'
import type { Database } from './database'
import { retryLostRaces } from './retry-lost-races'

/** An operator who acts, and has proven who they are. */
export interface ActingOperator {
  readonly operatorId: string
  readonly name: string
}

/** Undefined for a key that may not act: not enrolled yet, retired, or unknown. */
export async function findOperator(
  db: Database,
  operatorId: string,
): Promise<{ readonly name: string; readonly publicKey: Buffer } | undefined> {
  const found = await db.operator.findUnique({
    where: { id: operatorId, enrolledAt: { not: null }, retiredAt: null },
    select: { name: true, publicKey: true },
  })
  if (found?.publicKey == null) return undefined
  return { name: found.name, publicKey: Buffer.from(found.publicKey) }
}

/** Keeps a verified act, once. `stale`: its time is further than `lifeSeconds` from the database's. */
export async function keepAct(
  db: Database,
  act: SignedAct,
  lifeSeconds: number,
): Promise<'accepted' | 'stale' | 'repeated'> {
  const rows = await db.$queryRaw<[{ outcome: 'accepted' | 'stale' | 'repeated' }]>`
    SELECT accept_act(
      p_operator => ${act.operatorId}, p_method => ${act.method}, p_request => ${act.request},
      p_signed_at => ${act.signedAt}, p_nonce => ${act.nonce}, p_signature => ${act.signature},
      p_life_seconds => ${lifeSeconds}::float8
    ) AS outcome`
  return rows[0].outcome
}

export type EnrollmentOutcome =
  | 'enrolled'
  | 'asked'
  | 'withdrawn'
  | 'needs_enrolled'
  | 'needs_another'
  | 'name_taken'
  | 'operator_not_found'
  | 'retired'

/** `by` is the operator who asks for it, or the id of the key itself, which signs for itself. */
export async function enrollOperator(
  db: Database,
  key: {
    readonly operatorId: string
    readonly name: string
    readonly publicKey: Buffer
    readonly by: string
  },
): Promise<EnrollmentOutcome> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<[{ outcome: EnrollmentOutcome }]>`
      SELECT enroll_operator(
        p_id => ${key.operatorId}, p_name => ${key.name}, p_public_key => ${key.publicKey}, p_operator => ${key.by}
      ) AS outcome`,
  )
  return rows[0].outcome
}

/** What is decided about an operator, and by whom. */
interface Decision {
  readonly operatorId: string
  readonly isAgreed: boolean
  readonly by: string
}

export async function decideEnrollment(
  db: Database,
  { operatorId, isAgreed, by }: Decision,
): Promise<EnrollmentOutcome> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<[{ outcome: EnrollmentOutcome }]>`
      SELECT decide_enrollment(p_id => ${operatorId}, p_is_agreed => ${isAgreed}, p_operator => ${by}) AS outcome`,
  )
  return rows[0].outcome
}

export type RetirementOutcome =
  | 'asked'
  | 'retired'
  | 'withdrawn'
  | 'needs_another'
  | 'too_few_left'
  | 'operator_not_found'
  | 'not_asked'

export async function askRetirement(
  db: Database,
  operatorId: string,
  by: string,
): Promise<RetirementOutcome> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<[{ outcome: RetirementOutcome }]>`
      SELECT ask_retirement(p_id => ${operatorId}, p_operator => ${by}) AS outcome`,
  )
  return rows[0].outcome
}

export async function decideRetirement(
  db: Database,
  { operatorId, isAgreed, by }: Decision,
): Promise<RetirementOutcome> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<[{ outcome: RetirementOutcome }]>`
      SELECT decide_retirement(p_id => ${operatorId}, p_is_agreed => ${isAgreed}, p_operator => ${by}) AS outcome`,
  )
  return rows[0].outcome
}

export interface ListedOperator extends ActingOperator {
  readonly status: 'asked' | 'enrolled' | 'retiring' | 'retired'
  readonly askedBy: string | null
  readonly enrolledBy: string | null
  readonly retirementAskedBy: string | null
  readonly retiredBy: string | null
}

/** What one message has room for, many times over what a company has. */
const listMax = 200

/** All with a key, the oldest first. */
export async function listOperators(db: Database): Promise<ListedOperator[]> {
  return db.$queryRaw<ListedOperator[]>`
    SELECT o.id AS "operatorId", o.name,
      CASE WHEN o.retired_at IS NOT NULL THEN 'retired' WHEN o.retirement_asked_by IS NOT NULL THEN 'retiring'
        WHEN o.enrolled_at IS NOT NULL THEN 'enrolled' ELSE 'asked' END AS status,
      asker.name AS "askedBy", enroller.name AS "enrolledBy",
      retirement.name AS "retirementAskedBy", retirer.name AS "retiredBy"
    FROM operators o
    LEFT JOIN operators asker ON asker.id = o.asked_by
    LEFT JOIN operators enroller ON enroller.id = o.enrolled_by
    LEFT JOIN operators retirement ON retirement.id = o.retirement_asked_by
    LEFT JOIN operators retirer ON retirer.id = o.retired_by
    WHERE o.public_key IS NOT NULL
    ORDER BY o.asked_at, o.id LIMIT ${listMax}`
}
