import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { sessionLifeSeconds } from '../domain/sign-in'

/**
 * `__Host-`: no other host, not even one below ours, can set it or is sent it. It must be Secure, which browsers also
 * take from `http://127.0.0.1` and `http://localhost`, so a local stack uses the very same cookie.
 */
const name = '__Host-malipo'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict'

export function giveSession(token: string): Record<string, string> {
  const lifeSeconds = String(sessionLifeSeconds)
  return { 'Set-Cookie': `${name}=${token}; ${attributes}; Max-Age=${lifeSeconds}` }
}

export const takeSession: Readonly<Record<string, string>> = {
  'Set-Cookie': `${name}=; ${attributes}; Max-Age=0`,
}

/** The session token of a request; empty when there is none, or what is there cannot be one. */
export function sessionTokenOf(request: IncomingMessage): string {
  const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim())
  const values = cookies.filter((cookie) => cookie.startsWith(`${name}=`))
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
  const expected = Buffer.from(csrfTokenOf(sessionToken))
  const given = Buffer.from(presented)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
