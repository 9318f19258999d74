import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../store/database'
import { findSigning } from '../store/webhook-endpoints'
import type { WebhookSecrets } from '../store/webhook-secrets'

/** Where events of an account go, and what signs them. That there is none is an answer, not an error. */
export function readWebhookEndpoint(deps: {
  readonly db: Database
  readonly webhookSecrets: WebhookSecrets
}): Operations<AccountServiceServer>['readWebhookEndpoint'] {
  return async ({ endpointId }) => ({
    endpoint: await findSigning(deps.db, deps.webhookSecrets, endpointId),
  })
}
