import { randomBytes } from 'node:crypto'
import type { CountryRules } from '@malipo/kernel/countries'
import type { Clock } from '@malipo/runtime/clock'
import {
  attemptReference,
  checkoutId,
  intentId,
  providerMessageId,
  freezingId,
  placementId,
  refundId,
  reportClosingId,
  randomBytesPerId,
} from '../domain/ids'

/** Gives out ids and secrets. The clock only decides where a row lies on disk, and randomness is the system's. */
export type NewIds = ReturnType<typeof openNewIds>

export function openNewIds(country: CountryRules, clock: Clock) {
  const random = () => randomBytes(randomBytesPerId)
  return {
    checkout: () => checkoutId(country, clock.now(), random()),
    intent: () => intentId(clock.now(), random()),
    providerMessage: () => providerMessageId(clock.now(), random()),
    refund: () => refundId(clock.now(), random()),
    placement: () => placementId(clock.now(), random()),
    freezing: () => freezingId(clock.now(), random()),
    reportClosing: () => reportClosingId(clock.now(), random()),
    attemptReference: () => attemptReference(random()),
    /** 128 bits: nobody guesses where a provider is to call back. */
    callbackSecret: () => randomBytes(16).toString('hex'),
  }
}
