import type { IncomingMessage } from 'node:http'
import { cookieTokenOf } from '@malipo/web/session-tokens'
import { knownDeviceDays, sessionLifeSeconds } from './rules/sign-in'

/**
 * With the prefix `__Host-` no other host, not even a subdomain, can set or receive the cookie. Such a cookie must be
 * Secure. Browsers accept that from `http://127.0.0.1` and `http://localhost` too, so a local stack uses the same
 * cookie.
 */
const name = '__Host-malipo'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict'

/** Identifies the browser to the accounts that have signed in from it; it outlives sessions. */
const deviceName = '__Host-malipo-device'

export function giveCookies(given: {
  readonly sessionToken: string
  readonly deviceToken: string
}): Record<string, string[]> {
  const { sessionToken, deviceToken } = given
  const deviceSeconds = knownDeviceDays * 86_400
  return {
    'Set-Cookie': [
      `${name}=${sessionToken}; ${attributes}; Max-Age=${String(sessionLifeSeconds)}`,
      `${deviceName}=${deviceToken}; ${attributes}; Max-Age=${String(deviceSeconds)}`,
    ],
  }
}

export const takeSession: Readonly<Record<string, string>> = {
  'Set-Cookie': `${name}=; ${attributes}; Max-Age=0`,
}

/** The request's session token; empty when it is missing or malformed. */
export function sessionTokenOf(request: IncomingMessage): string {
  return cookieTokenOf(request, name)
}

/** The request's device token; empty when it is missing or malformed. */
export function deviceTokenOf(request: IncomingMessage): string {
  return cookieTokenOf(request, deviceName)
}
