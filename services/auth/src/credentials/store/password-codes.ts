import type { EnrolledOperator } from '@malipo/ledger-client/operators'
import { recordEvent } from '../../audit/store/audit-log'
import type { Database } from '../../database/database'
import { Prisma } from '../../database/generated/client'
import { passwordCodeMinutes, passwordCodeTriesMax } from '../rules/password-code'

const isLive = Prisma.sql`tries < ${passwordCodeTriesMax} AND expires_at > (SELECT clock_timestamp())`

/** The id of the operator, another than this one, who gave the newest code of an account that can still be used. */
export async function findOtherGiver(
  db: Database,
  accountId: string,
  operatorId: string,
): Promise<string | undefined> {
  const [code] = await db.$queryRaw<{ operatorId: string }[]>`
    SELECT operator_id AS "operatorId" FROM password_codes
    WHERE account_id = ${accountId} AND operator_id <> ${operatorId} AND ${isLive}
    ORDER BY expires_at DESC LIMIT 1`
  return code?.operatorId
}

interface GivenCode {
  readonly accountId: string
  readonly operator: EnrolledOperator
  readonly digest: Uint8Array<ArrayBuffer>
  /** Another operator, whose enrolment the ledger has checked. Only the code of that one stays beside the new code. */
  readonly otherGiver: string | undefined
}

/** Stores the digest of a code. Returns the name of the operator whose code works together with it, if there is one. */
export async function savePasswordCode(
  db: Database,
  { accountId, operator: { operatorId, name }, digest, otherGiver = '' }: GivenCode,
): Promise<string | undefined> {
  return db.$transaction(async (tx) => {
    await lockCodes(tx, accountId)
    await tx.$executeRaw`
      DELETE FROM password_codes
      WHERE account_id = ${accountId} AND NOT (operator_id = ${otherGiver} AND ${isLive})`
    await tx.$executeRaw`
      INSERT INTO password_codes (account_id, operator_id, operator, code_digest, expires_at)
      VALUES (${accountId}, ${operatorId}, ${name}, ${digest},
        (SELECT clock_timestamp()) + make_interval(mins => ${passwordCodeMinutes}::int))`
    const caller = { address: '', userAgent: '' }
    await recordEvent(tx, { accountId, action: 'password_code_given', subject: name, caller })
    const other = await tx.passwordCode.findFirst({
      where: { accountId, operatorId: { not: operatorId } },
      select: { operator: true },
    })
    return other?.operator
  })
}

/** Makes transactions that give or use codes of one account follow one another. */
async function lockCodes(tx: Prisma.TransactionClient, accountId: string): Promise<void> {
  await tx.$queryRaw`SELECT FROM credentials WHERE account_id = ${accountId} FOR UPDATE`
}
