import type { Caller } from '../domain/audit'
import { recordEvent } from './audit-log'
import type { Database } from './database'
import { forgetOtherDevices } from './known-devices'

/** Keeps a new password, and ends every session and forgets every browser but those it was changed in. */
export async function replacePassword(
  db: Database,
  accountId: string,
  change: {
    readonly passwordHash: string
    readonly sessionId: string
    /** Of the browser it was changed in; empty when it has none. */
    readonly deviceToken: string
    readonly caller: Caller
  },
): Promise<void> {
  const { passwordHash, sessionId, deviceToken, caller } = change
  await db.$transaction(async (tx) => {
    await tx.credential.update({ where: { accountId }, data: { passwordHash } })
    await tx.$executeRaw`
      UPDATE sign_in_sessions SET ended_at = now()
      WHERE account_id = ${accountId} AND session_id <> ${sessionId} AND ended_at IS NULL`
    await forgetOtherDevices(tx, accountId, deviceToken)
    await recordEvent(tx, { accountId, action: 'password_changed', caller })
  })
}
