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

const idsAtOnce = 256

/** Gives out ids and secrets. The clock only decides where a row lies on disk, and randomness is the system's. */
export type NewIds = ReturnType<typeof openNewIds>

export function openNewIds(country: CountryRules, clock: Clock) {
  const random = openRandom(randomBytesPerId)
  return {
    checkout: () => checkoutId(country, clock.now(), random()),
    intent: () => intentId(clock.now(), random()),
    providerMessage: () => providerMessageId(clock.now(), random()),
    refund: () => refundId(clock.now(), random()),
    placement: () => placementId(clock.now(), random()),
    freezing: () => freezingId(clock.now(), random()),
    reportClosing: () => reportClosingId(clock.now(), random()),
    attemptReference: () => attemptReference(random()),
    /** 128 bits: the callback address cannot be guessed. */
    callbackSecret: () => randomBytes(16).toString('hex'),
  }
}

/** One call of the system for many ids: alone, each would take longer than all else that a row of the statement needs. */
function openRandom(length: number): () => Buffer {
  let pool = Buffer.alloc(0)
  let used = 0
  return () => {
    if (used === pool.length) {
      pool = randomBytes(length * idsAtOnce)
      used = 0
    }
    used += length
    return pool.subarray(used - length, used)
  }
}
