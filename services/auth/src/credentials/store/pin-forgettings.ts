import type { EnrolledOperator } from '@malipo/ledger-client/operators'
import { recordEvent } from '../../audit/store/audit-log'
import type { Database } from '../../database/database'

/** A request not decided within this time lapses. */
const lifeHours = 24

export type Decided = 'forgotten' | 'withdrawn' | 'not_asked' | 'same_operator'

/** Stores an operator's request to remove a PIN; false when there is one already. */
export async function askForgetting(
  db: Database,
  accountId: string,
  { operatorId, name }: EnrolledOperator,
): Promise<boolean> {
  const count = await db.$executeRaw`
    INSERT INTO pin_forgettings AS asked (account_id, operator_id, operator) VALUES (${accountId}, ${operatorId}, ${name})
    ON CONFLICT (account_id) DO UPDATE SET
      operator_id = excluded.operator_id, operator = excluded.operator, asked_at = excluded.asked_at
    WHERE asked.asked_at <= (SELECT clock_timestamp()) - make_interval(hours => ${lifeHours}::int)`
  return count === 1
}

/** The id of the operator who requested the removal of a PIN. */
export async function findAsker(db: Database, accountId: string): Promise<string | undefined> {
  const [request] = await db.$queryRaw<{ askedBy: string }[]>`
    SELECT operator_id AS "askedBy" FROM pin_forgettings WHERE account_id = ${accountId}`
  return request?.askedBy
}

/** Removes the request for an account if it is that of this operator. */
export async function removeRequestOf(
  db: Database,
  accountId: string,
  operatorId: string,
): Promise<void> {
  await db.$executeRaw`
    DELETE FROM pin_forgettings WHERE account_id = ${accountId} AND operator_id = ${operatorId}`
}

interface Agreement {
  readonly accountId: string
  readonly operator: EnrolledOperator
  /** The operator whose enrolment the ledger has checked. The request of any other operator is not agreed to. */
  readonly askedBy: string | undefined
}

/** Removes the PIN with its lock, and ends all sessions, when another operator has requested it. */
export async function agreeToForgetting(
  db: Database,
  { accountId, operator: { operatorId, name }, askedBy }: Agreement,
): Promise<Decided> {
  return db.$transaction(async (tx) => {
    const [request] = await tx.$queryRaw<{ askedBy: string; operator: string }[]>`
      SELECT operator_id AS "askedBy", operator FROM pin_forgettings
      WHERE account_id = ${accountId} AND asked_at > (SELECT clock_timestamp()) - make_interval(hours => ${lifeHours}::int)
      FOR UPDATE`
    if (request === undefined || request.askedBy !== askedBy) return 'not_asked'
    if (request.askedBy === operatorId) return 'same_operator'
    await tx.$executeRaw`DELETE FROM pin_forgettings WHERE account_id = ${accountId}`
    const data = { pinHash: null, pinTries: 0, pinLocks: 0, pinLockedUntil: null }
    await tx.credential.update({ where: { accountId }, data })
    await tx.$executeRaw`
      UPDATE sign_in_sessions SET ended_at = now() WHERE account_id = ${accountId} AND ended_at IS NULL`
    const subject = `${request.operator}, ${name}`
    const caller = { address: '', userAgent: '' }
    await recordEvent(tx, { accountId, action: 'pin_forgotten', subject, caller })
    return 'forgotten'
  })
}

/** Withdraws a request. Any enrolled operator may do so. */
export async function withdrawForgetting(db: Database, accountId: string): Promise<Decided> {
  const count = await db.$executeRaw`DELETE FROM pin_forgettings WHERE account_id = ${accountId}`
  return count === 1 ? 'withdrawn' : 'not_asked'
}
