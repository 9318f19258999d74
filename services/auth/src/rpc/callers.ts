import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Callers } from '@malipo/runtime/caller-identity'

/** Who may call what over gRPC. Account owners use the hub, over HTTP and with their session. */
export const accountCallers: Callers<AccountServiceServer> = {
  createAccount: ['operator'],
  createLink: ['operator'],
  closeLink: ['operator'],
  forgetPin: ['operator'],
  getAccount: ['gateway-ke', 'gateway-ug', 'worker-ke', 'worker-ug'],
  recordRequests: ['gateway-ke', 'gateway-ug'],
  resolveHandle: ['gateway-ke', 'gateway-ug', 'worker-ke', 'worker-ug'],
}
