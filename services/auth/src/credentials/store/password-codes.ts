import type { EnrolledOperator } from '@malipo/ledger-client/operators'
import { requireAccount } from '../../accounts/store/accounts'
import type { Caller } from '../../audit/rules/audit'
import { recordEvent, recordNothing } from '../../audit/store/audit-log'
import type { Database } from '../../database/database'
import { Prisma } from '../../database/generated/client'
import { forgetOtherDevices } from '../../sessions/store/known-devices'
import { passwordCodeMinutes, passwordCodeTriesMax } from '../rules/password-code'
import { isPair } from './code-pair'
import { refuseWeakPassword } from './refuse-weak-secrets'

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

interface CodesUse {
  /** Empty for an unknown account, which takes the same work. */
  readonly accountId: string
  readonly digests: readonly [Uint8Array, Uint8Array]
  readonly password: string
  readonly newHash: string
  readonly caller: Caller
}

/**
 * Sets a new password if the two codes are those of two operators: then both are used up, every session of the account
 * ends, and no browser is known to it any more. False if they are not, and then the try is counted. Fault:
 * invalid_request, for a weak password, which uses up neither the codes nor a try.
 */
export async function usePasswordCodes(db: Database, use: CodesUse): Promise<boolean> {
  const { accountId, digests, password, newHash, caller } = use
  return db.$transaction(async (tx) => {
    await lockCodes(tx, accountId)
    const codes = await tx.$queryRaw<{ operator: string; digest: Uint8Array }[]>`
      UPDATE password_codes SET tries = tries + 1 WHERE account_id = ${accountId} AND ${isLive}
      RETURNING operator, code_digest AS digest`
    const given = codes.map(({ digest }) => digest)
    if (!isPair(given, digests)) {
      const refused = { accountId, action: 'password_codes_refused', caller } as const
      await (accountId === '' ? recordNothing(tx) : recordEvent(tx, refused))
      return false
    }
    refuseWeakPassword(password, await requireAccount(tx, accountId))
    await tx.passwordCode.deleteMany({ where: { accountId } })
    await tx.credential.update({ where: { accountId }, data: { passwordHash: newHash } })
    await tx.$executeRaw`
      UPDATE sign_in_sessions SET ended_at = now() WHERE account_id = ${accountId} AND ended_at IS NULL`
    await forgetOtherDevices(tx, accountId, '')
    const names = codes.map(({ operator }) => operator).sort()
    const done = { accountId, action: 'password_reset', subject: names.join(', '), caller } as const
    await recordEvent(tx, done)
    return true
  })
}

/** Makes transactions that give or use codes of one account follow one another. */
async function lockCodes(tx: Prisma.TransactionClient, accountId: string): Promise<void> {
  await tx.$queryRaw`SELECT FROM credentials WHERE account_id = ${accountId} FOR UPDATE`
}
