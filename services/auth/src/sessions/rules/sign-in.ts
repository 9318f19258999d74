import type { Caller } from '../../audit/rules/audit'

/** The longest life of a session; an idle one ends earlier. Key changes need the PIN too. */
export const sessionLifeSeconds = 7 * 24 * 3_600
export const sessionIdleSeconds = 12 * 3_600

export const signInWindowSeconds = 900

/**
 * The tries in one window. Ten for a username: a person who mistypes needs fewer, and a list of stolen passwords
 * needs more. Fifty from one address, because a whole carrier can share it.
 */
export const signInTriesMax = { username: 10, address: 50 } as const

/** How long a browser stays known after the last sign-in from it, and how many an account remembers. */
export const knownDeviceDays = 180
export const knownDevicesMax = 20

/** The most new accounts from one address in one window. */
export const signUpsMax = 20

export interface SignInSession {
  readonly sessionId: string
  readonly createdAt: Date
  /** Accurate to the minute. */
  readonly lastSeenAt: Date
  readonly expiresAt: Date
  /** The caller that opened it. */
  readonly caller: Caller
}
