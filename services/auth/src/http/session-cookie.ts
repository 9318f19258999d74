import { createHmac } from 'node:crypto'
import { isSameSecret } from '@malipo/contracts/same-secret'
import type { IncomingMessage } from 'node:http'
import { knownDeviceDays, sessionLifeSeconds } from '../domain/sign-in'

/**
 * `__Host-`: no other host, not even one below ours, can set it or is sent it. It must be Secure, which browsers also
 * take from `http://127.0.0.1` and `http://localhost`, so a local stack uses the very same cookie.
 */
const name = '__Host-malipo'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict'

/** Names the browser to the accounts that were signed in to from it, and stays when a session ends. */
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

/** The session token of a request; empty when there is none, or what is there cannot be one. */
export function sessionTokenOf(request: IncomingMessage): string {
  return tokenOf(request, name)
}

/** The token that names the browser; empty when there is none, or what is there cannot be one. */
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
 * What a page must send along with every change. It follows from the session token, which no page can read, so it needs
 * no place to be kept, and only our own origin is ever told it.
 */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url')
}

export function isCsrfTokenOf(sessionToken: string, presented: string): boolean {
  return isSameSecret(presented, csrfTokenOf(sessionToken))
}
