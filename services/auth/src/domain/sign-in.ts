import type { Caller } from './audit'

/** A session lives this long at most, and ends earlier when it is idle. Keys need the PIN besides. */
export const sessionLifeSeconds = 7 * 24 * 3_600
export const sessionIdleSeconds = 12 * 3_600

/** How long tries to sign in are counted together. */
export const signInWindowSeconds = 900

/**
 * Tries in one window. Ten at one username: a person who mistypes needs fewer, and a list of stolen passwords needs more.
 * Fifty from one address, because a whole carrier can stand behind it.
 */
export const signInTriesMax = { username: 10, address: 50 } as const

/** How long a browser stays known after the last sign-in from it, and how many an account knows. */
export const knownDeviceDays = 180
export const knownDevicesMax = 20

/** New accounts from one address in one window. */
export const signUpsMax = 20

/** A person signed in at one browser. */
export interface SignInSession {
  readonly sessionId: string
  readonly createdAt: Date
  /** To the minute. */
  readonly lastSeenAt: Date
  readonly expiresAt: Date
  /** Who opened it. */
  readonly caller: Caller
}
