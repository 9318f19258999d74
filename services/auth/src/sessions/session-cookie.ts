import { createHmac } from 'node:crypto'
import { isSameSecret } from '@malipo/contracts/same-secret'
import type { IncomingMessage } from 'node:http'
import { knownDeviceDays, sessionLifeSeconds } from './rules/sign-in'

/**
 * `__Host-`: no other host, not even a subdomain, can set or receive it. It must be Secure, which browsers also
 * accept from `http://127.0.0.1` and `http://localhost`, so a local stack uses the same cookie.
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
  return tokenOf(request, name)
}

/** The request's device token; empty when it is missing or malformed. */
export function deviceTokenOf(request: IncomingMessage): string {
  return tokenOf(request, deviceName)
}

function tokenOf(request: IncomingMessage, cookieName: string): string {
  const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim())
  const values = cookies.filter((cookie) => cookie.startsWith(`${cookieName}=`))
  const [value = ''] = values
  return values.length === 1 ? (/^[^=]+=([A-Za-z0-9_-]{43})$/.exec(value)?.[1] ?? '') : ''
}

/**
 * The CSRF token for every change. It is derived from the session token, which no page can read, so it needs no
 * storage, and only our own origin receives it.
 */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url')
}

export function isCsrfTokenOf(sessionToken: string, presented: string): boolean {
  return isSameSecret(presented, csrfTokenOf(sessionToken))
}
