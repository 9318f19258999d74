import { randomBytes } from 'node:crypto'
import { countries } from '@malipo/kernel/countries'
import type { Hub } from '../operation'
import type { Account } from '../accounts/rules/account'
import type { Caller } from '../audit/rules/audit'
import type { Database } from '../database/database'
import { saveKnownDevice } from './store/known-devices'
import { findPinHash } from '../credentials/store/pins'
import type { ProvenPassword } from '../credentials/rules/proven-password'
import { endSessionOfToken, saveSession } from './store/sign-in-sessions'
import type { SessionView } from '@malipo/interface/hub'
import { csrfTokenOf } from '@malipo/web/session-tokens'
import { showAccount } from '../accounts/show-account'

/**
 * The caller of a sign-in, and the tokens from the cookies of the browser; a token is empty when there is no cookie.
 */
export interface Came {
  readonly caller: Caller
  readonly formerToken: string
  readonly formerDeviceToken: string
}

/**
 * Creates a session; only the cookie contains its token. The browser's previous session ends, because no page could
 * sign out of it any more. The browser becomes known to the account. Fault: sign_in_refused, when the password has
 * changed since it was proven.
 */
export async function openSession(
  db: Database,
  { accountId, passwordHash }: ProvenPassword,
  came: Came,
): Promise<{ sessionToken: string; sessionId: string; deviceToken: string }> {
  const { caller, formerToken, formerDeviceToken } = came
  if (formerToken !== '') await endSessionOfToken(db, formerToken, caller)
  const sessionToken = randomBytes(32).toString('base64url')
  const sessionId = `ses_${randomBytes(12).toString('hex')}`
  // One transaction, so that a change of the password refuses both the session and the browser, or ends both.
  const deviceToken = await db.$transaction(async (tx) => {
    await saveSession(tx, { sessionId, accountId, passwordHash, token: sessionToken, caller })
    return saveKnownDevice(tx, accountId, formerDeviceToken)
  })
  return { sessionToken, sessionId, deviceToken }
}

export async function showSession(
  { db, paymentsUrls }: Hub,
  visit: { readonly account: Account; readonly sessionToken: string; readonly sessionId: string },
): Promise<SessionView> {
  const { account, sessionToken, sessionId } = visit
  const { currency, minMinor, maxMinor, wholeMajorOnly } = countries[account.homeCountry]
  return {
    account: showAccount(account),
    session_id: sessionId,
    csrf_token: csrfTokenOf(sessionToken),
    has_pin: (await findPinHash(db, account.accountId)) !== undefined,
    currency,
    amounts: { min: String(minMinor), max: String(maxMinor), whole: wholeMajorOnly },
    payments_url: paymentsUrls[account.homeCountry],
  }
}
