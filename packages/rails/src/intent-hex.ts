import { Fault } from '@malipo/kernel/errors'
import { isIntentId } from '@malipo/kernel/ids'

/** The 24 hex digits of an intent id, from which a rail makes its own id of the prompt. */
export function intentHex(intentId: string): string {
  if (!isIntentId(intentId)) throw new Fault('internal', { intentId })
  return intentId.slice('pi_'.length)
}
