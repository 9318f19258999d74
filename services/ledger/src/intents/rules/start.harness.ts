import { later } from '../../evidence/rules/state'
import type { StartRequest, StartState, EarlierAttempt } from './decide-start'

export const now = 1_800_000_000_000_001
export const ago = (seconds: number): number => later(now, -seconds)

/** An attempt that failed an hour and a half ago. */
export const failed: EarlierAttempt = {
  ...{ intentId: 'pi_failed', status: 'failed', rail: 'mpesa', createdAt: ago(5_400) },
  ...{ amountMinor: 50_050n, settledMinor: null, isPrompt: true, isOver: true, isPaid: false },
}
export const flying: EarlierAttempt = {
  ...failed,
  ...{ intentId: 'pi_flying', status: 'pending', isOver: false },
}
export const paid: EarlierAttempt = {
  ...failed,
  ...{ intentId: 'pi_paid', status: 'completed', settledMinor: 50_050n, isPaid: true },
}

export const checkout: StartState = {
  ...{ now, checkoutId: 'cs_1', amountMinor: 50_050n, expiresAt: later(now, 1_800) },
  ...{ wallet: 'open', bound: undefined, attempts: [failed], phonePrompts: [] },
}

export const request: StartRequest = {
  ...{ intentId: 'pi_new', rail: 'mpesa', phone: '254708374149', wholeMajorsOnly: false },
  ...{ callbackSecret: 'secret', attemptReference: 'MABC' },
}

/** `count` failed attempts: the first began at `createdAt`, each other one a microsecond after the one before. */
export function many(
  count: number,
  createdAt: number,
  changes: Partial<EarlierAttempt> = {},
): EarlierAttempt[] {
  return Array.from({ length: count }, (_, place) => ({
    ...{ ...failed, ...changes },
    ...{ intentId: `pi_${String(place)}`, createdAt: createdAt + place },
  }))
}
