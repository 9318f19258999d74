import { createHash } from 'node:crypto'
import { Fault } from '@malipo/kernel/errors'
import type { AuditAction, Caller } from '../../audit/rules/audit'
import { sessionIdleSeconds, sessionLifeSeconds, type SignInSession } from '../rules/sign-in'
import { recordEvent } from '../../audit/store/audit-log'
import type { ProvenPassword } from '../../credentials/rules/proven-password'
import type { Database } from '../../database/database'
import { Prisma } from '../../database/generated/client'

const listedMax = 50

interface SessionRow extends Omit<SignInSession, 'caller'>, Caller {
  readonly accountId: string
}

const columns = Prisma.sql`session_id AS "sessionId", account_id AS "accountId", created_at AS "createdAt",
  last_seen_at AS "lastSeenAt", expires_at AS "expiresAt", address, user_agent AS "userAgent"`

/** By the database's clock, like all expiry times. */
const isLive = Prisma.sql`ended_at IS NULL AND expires_at > now()
  AND last_seen_at > now() - make_interval(secs => ${sessionIdleSeconds})`

/**
 * Stores a session and the audit event of its sign-in. It waits for a change of the password that has begun, and a
 * later change waits for this transaction. Fault: sign_in_refused, when the account has another password.
 */
export async function saveSession(
  tx: Prisma.TransactionClient,
  session: ProvenPassword & {
    readonly sessionId: string
    readonly token: string
    readonly caller: Caller
  },
): Promise<void> {
  const { sessionId, accountId, passwordHash, token, caller } = session
  const count = await tx.$executeRaw`
    INSERT INTO sign_in_sessions (session_id, account_id, token_digest, expires_at, address, user_agent)
    SELECT ${sessionId}, account_id, ${digestOf(token)}, now() + make_interval(secs => ${sessionLifeSeconds}),
      ${caller.address}, ${caller.userAgent}
    FROM credentials WHERE account_id = ${accountId} AND password_hash = ${passwordHash} FOR SHARE`
  if (count === 0) throw new Fault('sign_in_refused')
  await recordEvent(tx, { accountId, action: 'signed_in', caller })
}

/** The live session of a token, with its account; its last use is written once a minute. */
export async function findSession(
  db: Database,
  token: string,
): Promise<{ session: SignInSession; accountId: string } | undefined> {
  const [row] = await db.$queryRaw<SessionRow[]>`
    SELECT ${columns} FROM sign_in_sessions WHERE token_digest = ${digestOf(token)} AND ${isLive}`
  if (row === undefined) return undefined
  await db.$executeRaw`
    UPDATE sign_in_sessions SET last_seen_at = now()
    WHERE session_id = ${row.sessionId} AND last_seen_at < now() - interval '60 seconds'`
  return { session: toSession(row), accountId: row.accountId }
}

/** The live sessions of an account, newest first. */
export async function listSessions(db: Database, accountId: string): Promise<SignInSession[]> {
  const rows = await db.$queryRaw<SessionRow[]>`
    SELECT ${columns} FROM sign_in_sessions WHERE account_id = ${accountId} AND ${isLive}
    ORDER BY created_at DESC LIMIT ${listedMax}`
  return rows.map(toSession)
}

export async function endSessionOfToken(
  db: Database,
  token: string,
  caller: Caller,
): Promise<void> {
  const which = Prisma.sql`token_digest = ${digestOf(token)}`
  await endSession(db, which, { action: 'signed_out', caller })
}

export async function endSessionOfAccount(
  db: Database,
  { accountId, sessionId }: { readonly accountId: string; readonly sessionId: string },
  caller: Caller,
): Promise<void> {
  const which = Prisma.sql`session_id = ${sessionId} AND account_id = ${accountId}`
  await endSession(db, which, { action: 'session_ended', caller })
}

async function endSession(
  db: Database,
  which: Prisma.Sql,
  { action, caller }: { readonly action: AuditAction; readonly caller: Caller },
): Promise<void> {
  await db.$transaction(async (tx) => {
    const [ended] = await tx.$queryRaw<{ accountId: string }[]>`
      UPDATE sign_in_sessions SET ended_at = now() WHERE ${which} AND ${isLive}
      RETURNING account_id AS "accountId"`
    if (ended) await recordEvent(tx, { accountId: ended.accountId, action, caller })
  })
}

/** 256 random bits need no slow hash; the database stores no token. */
function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function toSession({ address, userAgent, accountId: _, ...row }: SessionRow): SignInSession {
  return { ...row, caller: { address, userAgent } }
}
