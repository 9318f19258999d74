import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../database/database'
import { findSigning } from './store/webhook-endpoints'
import type { WebhookSecrets } from './store/webhook-secrets'

/** The URL of an event endpoint, and its secrets. An unknown endpoint is an empty answer, not an error. */
export function readWebhookEndpoint(deps: {
  readonly db: Database
  readonly webhookSecrets: WebhookSecrets
}): Operations<AccountServiceServer>['readWebhookEndpoint'] {
  return async ({ endpointId }) => ({
    endpoint: await findSigning(deps.db, deps.webhookSecrets, endpointId),
  })
}
