import type { AccountOperation, Accounts } from '../operation'
import { findSigning } from './store/webhook-endpoints'

/** The URL of an event endpoint, and its secrets. An unknown endpoint is an empty answer, not an error. */
export function readWebhookEndpoint(deps: Accounts): AccountOperation<'readWebhookEndpoint'> {
  return async ({ endpointId }) => ({
    endpoint: await findSigning(deps.db, deps.webhookSecrets, endpointId),
  })
}
