import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Country } from '@malipo/kernel/countries'
import type { Operations } from '@malipo/runtime/grpc'
import type { Ledger } from '../clients/ledger'
import type { CredentialHasher } from '../store/credential-hash'
import type { Database } from '../store/database'
import type { WebhookSecrets } from '../store/webhook-secrets'
import { closeLink } from './close-link'
import { createAccount } from './create-account'
import { createLink } from './create-link'
import { decidePinForgetting } from './decide-pin-forgetting'
import { forgetPin } from './forget-pin'
import { getAccount } from './get-account'
import { readWebhookEndpoint } from './read-webhook-endpoint'
import { recordRequests } from './record-requests'
import { resolveHandle } from './resolve-handle'

/** All methods of the service: one without its operation does not compile. */
export function accountOperations(deps: {
  readonly db: Database
  readonly hasher: CredentialHasher
  readonly ledgers: Readonly<Record<Country, Ledger>>
  readonly webhookSecrets: WebhookSecrets
}): Operations<AccountServiceServer> {
  return {
    createAccount: createAccount(deps),
    getAccount: getAccount(deps),
    resolveHandle: resolveHandle(deps),
    createLink: createLink(deps),
    closeLink: closeLink(deps),
    forgetPin: forgetPin(deps),
    decidePinForgetting: decidePinForgetting(deps),
    recordRequests: recordRequests(deps),
    readWebhookEndpoint: readWebhookEndpoint(deps),
  }
}
