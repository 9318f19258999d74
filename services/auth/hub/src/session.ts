import type { SessionView } from '@malipo/interface/hub'
import { signal } from '@preact/signals'
import { ask, codes, keepCsrfToken, onRefusal, type Refusal, refusalOf } from './api'

/** Who is signed in: `undefined` until we know, `null` when nobody is. */
export const session = signal<SessionView | null | undefined>(undefined)

/** Why we could not find out who is signed in. */
export const sessionTrouble = signal<Refusal | undefined>(undefined)

export function enter(view: SessionView): void {
  keepCsrfToken(view.csrf_token)
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

/** The session of a screen behind the sign-in, which is not shown without one. */
export function mySession(): SessionView {
  if (session.value == null) throw new Error('Nobody is signed in')
  return session.value
}

// Wherever it is noticed that a session is over, the sign-in is shown.
onRefusal((refusal) => {
  if (refusal.code === codes.signInRequired && session.value !== undefined) session.value = null
})
