import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../store/database'
import { findProviderMessage } from '../store/provider-messages'
import { wireKindOf, wireRailOf } from './wire'

export interface ReadProviderMessageDeps {
  readonly db: Database
}

/** Reads a stored message back, to whoever understands its provider. */
export function readProviderMessage(
  deps: ReadProviderMessageDeps,
): Operations<LedgerServiceServer>['readProviderMessage'] {
  return async ({ messageId }) => {
    const message = await findProviderMessage(deps.db, messageId)
    if (message === undefined) throw new Fault('invalid_request', { field: 'message_id' })
    return {
      rail: wireRailOf[message.rail],
      kind: wireKindOf[message.kind],
      body: Buffer.from(message.body),
      intentId: message.intentId ?? '',
      applied: message.isApplied,
      refundId: message.refundId ?? undefined,
    }
  }
}
