import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isSameSecret } from '@malipo/contracts/same-secret'

/** The token in a cookie of the request; empty when it is missing, malformed or there are two. */
export function cookieTokenOf(request: IncomingMessage, cookieName: string): string {
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
