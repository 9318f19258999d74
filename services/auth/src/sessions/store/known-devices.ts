import { createHash, randomBytes } from 'node:crypto'
import { knownDeviceDays, knownDevicesMax } from '../rules/sign-in'
import type { Database } from '../../database/database'
import type { Prisma } from '../../database/generated/client'

/** Whether the browser of this token has signed in to the account before. False for no token. */
export async function isKnownDevice(
  db: Database,
  accountId: string,
  deviceToken: string,
): Promise<boolean> {
  if (deviceToken === '') return false
  const tokenDigest = digestOf(deviceToken)
  const where = { tokenDigest_accountId: { tokenDigest, accountId } }
  return (await db.knownDevice.findUnique({ where, select: { accountId: true } })) !== null
}

/**
 * Makes a browser known to an account after a sign-in, and returns the token for its cookie: the browser's own token
 * where it is one of ours. An account remembers its most recent browsers.
 */
export async function saveKnownDevice(
  tx: Prisma.TransactionClient,
  accountId: string,
  formerToken: string,
): Promise<string> {
  const isOurs =
    formerToken !== '' &&
    (await tx.knownDevice.count({ where: { tokenDigest: digestOf(formerToken) } })) > 0
  const deviceToken = isOurs ? formerToken : randomBytes(32).toString('base64url')
  await tx.$executeRaw`
    INSERT INTO known_devices (token_digest, account_id) VALUES (${digestOf(deviceToken)}, ${accountId})
    ON CONFLICT (token_digest, account_id) DO UPDATE SET used_at = clock_timestamp()`
  await tx.$executeRaw`
    DELETE FROM known_devices WHERE account_id = ${accountId} AND token_digest NOT IN (
      SELECT token_digest FROM known_devices WHERE account_id = ${accountId}
      ORDER BY used_at DESC LIMIT ${knownDevicesMax})`
  return deviceToken
}

/** After a change of password only the browser of the change stays known. */
export async function forgetOtherDevices(
  tx: Prisma.TransactionClient,
  accountId: string,
  deviceToken: string,
): Promise<void> {
  await tx.knownDevice.deleteMany({
    where: { accountId, tokenDigest: { not: digestOf(deviceToken) } },
  })
}

/** Deletes the browsers from which an account had no sign-in for `knownDeviceDays`. */
export async function forgetOldDevices(db: Database): Promise<void> {
  await db.$executeRaw`
    DELETE FROM known_devices WHERE used_at < (SELECT clock_timestamp()) - make_interval(days => ${knownDeviceDays})`
}

/** The name of the counter of a browser's tries at an account. */
export function deviceSubject(accountId: string, deviceToken: string): string {
  return `device:${createHash('sha256').update(`${accountId}:${deviceToken}`).digest('hex')}`
}

function digestOf(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest())
}
