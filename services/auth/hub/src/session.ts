import type { SessionView } from '@malipo/interface/hub'
import { signal } from '@preact/signals'
import { ask, codes, setCsrfToken, onRefusal, type Refusal, refusalOf } from './api'

/** The signed-in account: `undefined` until loaded, `null` when signed out. */
export const session = signal<SessionView | null | undefined>(undefined)

/** The error of loading the session. */
export const sessionTrouble = signal<Refusal | undefined>(undefined)

/** Whether the session ended without a sign-out here, so that the sign-in screen can explain it. */
export const hasEnded = signal(false)

/** Whether a lost password was replaced here, so that the sign-in screen can say so. */
export const hasNewPassword = signal(false)

export function enter(view: SessionView): void {
  setCsrfToken(view.csrf_token)
  hasEnded.value = false
  hasNewPassword.value = false
  session.value = view
}

export async function loadSession(): Promise<void> {
  sessionTrouble.value = undefined
  await ask<SessionView>('GET', '/session').then(enter, (error: unknown) => {
    const refusal = refusalOf(error)
    if (refusal.code === codes.signInRequired) session.value = null
    else sessionTrouble.value = refusal
  })
}

export async function leave(): Promise<void> {
  await ask('POST', '/sign-out')
  session.value = null
}

/** The session, for screens that are shown only when signed in. */
export function mySession(): SessionView {
  if (session.value == null) throw new Error('No account is signed in')
  return session.value
}

/** All tabs share one cookie: another tab may have signed out, or signed in to another account. */
function lookAgain(): void {
  void ask<SessionView>('GET', '/session').then(enter, () => undefined)
}

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && session.value !== undefined) lookAgain()
})

// A refusal with `signInRequired` shows the sign-in screen; a wrong password, which is also a 401, does not. A refused
// CSRF token means that the browser may have another session, so the session is read again.
onRefusal(({ code }) => {
  if (code === codes.csrfRefused && session.value != null) lookAgain()
  if (code !== codes.signInRequired || session.value === undefined) return
  hasEnded.value ||= session.value !== null
  session.value = null
})
