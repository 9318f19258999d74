import type { Rail } from '@malipo/kernel/countries'
import type { MessageKind } from '../domain/evidence'
import type { Database } from './database'

export interface ProviderMessage {
  readonly rail: Rail
  readonly kind: MessageKind
  readonly body: Uint8Array
  /** Null of money that no prompt asked for. */
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
