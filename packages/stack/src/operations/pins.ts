import {
  AccountServiceClient,
  type ForgetPinResponse,
} from '@malipo/contracts/proto/accounts/v1/account_service'
import { clientOptionsTo, openCall } from '@malipo/runtime/grpc'
import { openLog } from '@malipo/runtime/log'
import { signCalls } from '@malipo/runtime/operator-calls'
import type { OperatorIdentity } from '@malipo/runtime/operator-signature'
import { openTlsIdentity } from '@malipo/runtime/tls-identity'
import { identityDirOf } from '../certificates'
import { findRunningStack } from '../claim'
import { type Elsewhere, findAccountsElsewhere } from './elsewhere'

const deadlineMs = 10_000

/** The accounts of the stack that runs in a folder; or those that ACCOUNTS_ADDRESS and TLS_DIR name. Throws what to set. */
export function findAccounts(dir: string, environment: NodeJS.ProcessEnv): Elsewhere {
  const elsewhere = findAccountsElsewhere(environment)
  if (elsewhere !== undefined) return elsewhere
  const address = findRunningStack(dir)?.processes['auth']?.address
  if (address === undefined) throw new Error(`No stack runs in ${dir}: npm start`)
  return { address, tlsDir: identityDirOf(dir, 'operator') }
}

/** Takes a PIN away that its owner has lost, or locked for good; answers what to tell him. */
export async function forgetPin(
  { address, tlsDir }: Elsewhere,
  identity: OperatorIdentity,
  username: string,
): Promise<string> {
  const interceptors = [signCalls(identity, 'auth')]
  const { channel } = openTlsIdentity(tlsDir, openLog('operate', 'warn'))
  const client = new AccountServiceClient(address, channel, {
    ...clientOptionsTo('auth'),
    interceptors,
  })
  const call = openCall('unavailable')
  await call<ForgetPinResponse>(deadlineMs, (metadata, options, done) =>
    client.forgetPin({ username }, metadata, options, done),
  ).finally(() => {
    client.close()
  })
  return `${username} has no PIN and is signed out everywhere; the hub asks for a new one`
}
