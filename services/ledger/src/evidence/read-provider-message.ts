import { wireOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { findProviderMessage } from './store/provider-messages'

/** Reads a stored message back, for the worker to parse. */
export function readProviderMessage(deps: Ledger): Operation<'readProviderMessage'> {
  return async ({ messageId }) => {
    const message = await findProviderMessage(deps.pool, messageId)
    if (message === undefined) throw new Fault('invalid_request', { field: 'message_id' })
    // The worker parses a hint as a callback. Only the ledger treats it as weaker evidence.
    const kind = message.kind === 'hint' ? 'callback' : message.kind
    return {
      rail: wireOf('RAIL', message.rail),
      kind: wireOf('PROVIDER_MESSAGE_KIND', kind),
      body: message.body,
      intentId: message.intentId ?? '',
      applied: message.isApplied,
      refundId: message.refundId ?? undefined,
      traceparent: message.traceparent ?? undefined,
    }
  }
}
