import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Operations } from '@malipo/runtime/grpc'
import type { Accounts } from '../operation'
import { createAccount } from './create-account'
import { decidePinForgetting } from '../credentials/decide-pin-forgetting'
import { forgetPin } from '../credentials/forget-pin'
import { givePasswordCode } from '../credentials/give-password-code'
import { getAccount } from './get-account'
import { readWebhookEndpoint } from '../webhooks/read-webhook-endpoint'
import { recordRequests } from '../requests/record-requests'
import { resolveHandle } from '../handles/resolve-handle'

/** The operation of each method of the service; a method without one does not compile. */
export function accountOperations(deps: Accounts): Operations<AccountServiceServer> {
  return {
    createAccount: createAccount(deps),
    getAccount: getAccount(deps),
    resolveHandle: resolveHandle(deps),
    forgetPin: forgetPin(deps),
    decidePinForgetting: decidePinForgetting(deps),
    givePasswordCode: givePasswordCode(deps),
    recordRequests: recordRequests(deps),
    readWebhookEndpoint: readWebhookEndpoint(deps),
  }
}
