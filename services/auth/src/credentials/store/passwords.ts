import type { Caller } from '../../audit/rules/audit'
import { recordEvent } from '../../audit/store/audit-log'
import type { Database } from '../../database/database'
import { forgetOtherDevices } from '../../sessions/store/known-devices'

/** Stores a new password, ends all other sessions and forgets all other browsers. */
export async function replacePassword(
  db: Database,
  accountId: string,
  change: {
    readonly passwordHash: string
    readonly sessionId: string
    /** The device token of the browser of the change; empty when it has none. */
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
