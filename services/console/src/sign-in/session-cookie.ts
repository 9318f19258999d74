import type { IncomingMessage } from 'node:http'
import { cookieTokenOf } from '@malipo/web/session-tokens'
import { sessionLifeSeconds } from './sessions'

/**
 * The prefix `__Host-` means that no other host can set or receive the cookie, not even a subdomain. It must be Secure,
 * which browsers also accept from `http://127.0.0.1`.
 */
const name = '__Host-malipo-console'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict'

/**
 * Ties the identity provider's answer to the browser that asked. It is SameSite=Lax, as the way back is from another
 * site.
 */
const loginName = '__Host-malipo-login'
const loginSeconds = 600

export function sessionCookie(token: string): string {
  return `${name}=${token}; ${attributes}; Max-Age=${String(sessionLifeSeconds)}`
}

export const noSessionCookie = `${name}=; ${attributes}; Max-Age=0`

export function loginCookie(id: string): string {
  return `${loginName}=${id}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${String(loginSeconds)}`
}

export const noLoginCookie = `${loginName}=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0`

/** The request's session token; empty when it is missing, malformed or there are two. */
export function sessionTokenOf(request: IncomingMessage): string {
  return cookieTokenOf(request, name)
}

export function loginIdOf(request: IncomingMessage): string {
  return cookieTokenOf(request, loginName)
}
