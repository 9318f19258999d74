import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Callers } from '@malipo/runtime/caller-identity'

/**
 * The permitted gRPC callers of each method. Account owners use the hub, over HTTP with a session. Accounts are made
 * over gRPC only with auth's own certificate, which seeds and tests have. An operator's certificate is not enough:
 * forgetPin, decidePinForgetting and givePasswordCode also need a signature.
 */
export const accountCallers: Callers<AccountServiceServer> = {
  createAccount: ['auth'],
  forgetPin: ['operator'],
  decidePinForgetting: ['operator'],
  givePasswordCode: ['operator'],
  getAccount: ['gateway-ke', 'gateway-ug', 'worker-ke', 'worker-ug'],
  recordRequests: ['gateway-ke', 'gateway-ug'],
  readWebhookEndpoint: ['worker-ke', 'worker-ug'],
  resolveHandle: ['gateway-ke', 'gateway-ug', 'worker-ke', 'worker-ug'],
}
