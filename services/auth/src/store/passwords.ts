import type { Caller } from '../domain/audit'
import { recordEvent } from './audit-log'
import type { Database } from './database'

/** Keeps a new password, and ends every session but the one it was changed in: a stranger may be in any of them. */
export async function replacePassword(
  db: Database,
  accountId: string,
  change: { readonly passwordHash: string; readonly sessionId: string; readonly caller: Caller },
): Promise<void> {
  const { passwordHash, sessionId, caller } = change
  await db.$transaction(async (tx) => {
    await tx.credential.update({ where: { accountId }, data: { passwordHash } })
    await tx.$executeRaw`
      UPDATE sign_in_sessions SET ended_at = now()
      WHERE account_id = ${accountId} AND session_id <> ${sessionId} AND ended_at IS NULL`
    await recordEvent(tx, { accountId, action: 'password_changed', caller })
  })
}
