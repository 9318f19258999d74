import { intentHex } from '../outbound-texts'
import { readJson } from '../exchange'
import { callback } from './wire'

/** The transaction id of an attempt: the digits of its intent, and so the same on a repeat. Letters and digits only. */
export function transactionIdOf(intentId: string): string {
  return intentHex(intentId)
}

const shape = /^[0-9a-f]{24}$/

/**
 * The intent of a transaction id, undefined for an id that is not ours. Airtel calls back to one address for all
 * payments, so this id ties a callback to its payment.
 */
export function intentIdOf(transactionId: string): string | undefined {
  return shape.test(transactionId) ? `pi_${transactionId}` : undefined
}

/** The intent that a callback is about, by the id that was ours to choose; undefined when it is about none of ours. */
export function subjectOfAirtelMoney(body: Uint8Array): string | undefined {
  const parsed = callback.safeParse(readJson(body))
  return parsed.success ? intentIdOf(parsed.data.transaction.id) : undefined
}
