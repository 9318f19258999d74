import { Fault } from '@malipo/kernel/errors'
import type { Caller } from '../../audit/rules/audit'
import { recordEvent } from '../../audit/store/audit-log'
import type { Database } from '../../database/database'
import { forgetOtherDevices } from '../../sessions/store/known-devices'
import type { ProvenPassword } from '../rules/proven-password'

/**
 * Replaces the password that was proven, ends all other sessions and forgets all other browsers. Fault:
 * sign_in_refused, when the password has changed since it was proven.
 */
export async function replacePassword(
  db: Database,
  { accountId, passwordHash }: ProvenPassword,
  change: {
    readonly newHash: string
    readonly sessionId: string
    /** The device token of the browser in which the password was changed; empty when it has none. */
    readonly deviceToken: string
    readonly caller: Caller
  },
): Promise<void> {
  const { newHash, sessionId, deviceToken, caller } = change
  await db.$transaction(async (tx) => {
    const { count } = await tx.credential.updateMany({
      where: { accountId, passwordHash },
      data: { passwordHash: newHash },
    })
    if (count === 0) throw new Fault('sign_in_refused')
    await tx.$executeRaw`
      UPDATE sign_in_sessions SET ended_at = now()
      WHERE account_id = ${accountId} AND session_id <> ${sessionId} AND ended_at IS NULL`
    await forgetOtherDevices(tx, accountId, deviceToken)
    await recordEvent(tx, { accountId, action: 'password_changed', caller })
  })
}
