import { Fault } from '@malipo/kernel/errors'
import { isIntentId } from '@malipo/kernel/ids'

/**
 * A name as every provider takes it: letters and digits without accents, and single spaces; cut between words where one
 * fits. `Payment` when nothing is left.
 */
export function description(name: string, lengthMax: number): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[\p{M}'\u2018\u2019]/gu, '')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
  if (plain.length <= lengthMax) return plain || 'Payment'
  const end = plain.lastIndexOf(' ', lengthMax)
  return plain.slice(0, end > 0 ? end : lengthMax)
}

/** The 24 hex digits of an intent id, from which a rail makes its own id of the prompt. */
export function intentHex(intentId: string): string {
  if (!isIntentId(intentId)) throw new Fault('internal', { intentId })
  return intentId.slice('pi_'.length)
}
