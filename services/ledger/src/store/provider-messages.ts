import type { Rail } from '@malipo/kernel/countries'
import type { MessageKind } from '../domain/evidence'
import type { Database } from './database'
import { retryLostRaces } from './retry-lost-races'

export interface NewProviderMessage {
  readonly messageId: string
  readonly intentId: string
  /** Of a callback: what its address proved to know. */
  readonly callbackSecret: string | undefined
  readonly rail: Rail | undefined
  readonly kind: MessageKind
  readonly body: Buffer
  readonly sourceAddress: string
  readonly sourceKnown: boolean
}

/** Keeps a message and answers its id: an earlier one when the same callback was kept before, none when it is nobody's. */
export async function storeProviderMessage(
  db: Database,
  message: NewProviderMessage,
): Promise<string | undefined> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<[{ id: string | null }]>`
      SELECT store_provider_message(
        p_message_id => ${message.messageId}, p_intent_id => ${message.intentId},
        p_callback_secret => ${message.callbackSecret}, p_rail => ${message.rail}, p_kind => ${message.kind},
        p_body => ${message.body}, p_source_address => ${message.sourceAddress},
        p_source_known => ${message.sourceKnown}
      ) AS id`,
  )
  return rows[0].id ?? undefined
}

export interface ProviderMessage {
  readonly rail: Rail
  readonly kind: MessageKind
  readonly body: Uint8Array
  /** Null of money that nobody asked for. */
  readonly intentId: string | null
  readonly refundId: string | null
  readonly isApplied: boolean
}

export async function findProviderMessage(
  db: Database,
  messageId: string,
): Promise<ProviderMessage | undefined> {
  const row = await db.providerMessage.findUnique({
    where: { id: messageId },
    select: {
      rail: true,
      kind: true,
      body: true,
      intentId: true,
      refundId: true,
      result: true,
      wantedPayee: true,
    },
  })
  if (row === null) return undefined
  const { body, intentId, refundId, result, wantedPayee } = row
  // The words are those of a CHECK in the database.
  return {
    rail: row.rail as Rail,
    kind: row.kind as MessageKind,
    body,
    intentId,
    refundId,
    isApplied: result !== null && wantedPayee === null,
  }
}
