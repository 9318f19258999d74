import { isIntentId } from '@malipo/kernel/ids'
import { readJson } from '../json'
import { notification, returned, type Returned } from './wire'

export interface CardNotification {
  readonly intentId: string
  /** As much of it as we keep: nothing of the card, its holder or the customer. */
  readonly body: Buffer
}

/** What the gateway posted: about an intent of ours, or undefined. */
export function readCardNotification(body: Uint8Array): CardNotification | undefined {
  const parsed = notification.safeParse(readJson(body))
  if (!parsed.success || !isIntentId(parsed.data.order.id)) return undefined
  return { intentId: parsed.data.order.id, body: Buffer.from(JSON.stringify(parsed.data)) }
}

/** What we keep of a payer's coming back. */
export function returnBody(what: Returned): Buffer {
  return Buffer.from(JSON.stringify(returned.parse({ returned: what })))
}
