import {
  AccountServiceClient,
  type ForgetPinResponse,
} from '@malipo/contracts/proto/accounts/v1/account_service'
import { clientCredentials, clientOptions, openCall } from '@malipo/runtime/grpc'
import { signCalls } from '@malipo/runtime/operator-calls'
import type { OperatorIdentity } from '@malipo/runtime/operator-signature'
import { findRunningStack } from '../claim'
import { readSecrets } from '../secrets'

const deadlineMs = 10_000

/** Where accounts are asked. */
export interface AccountsAt {
  readonly address: string
  readonly internalSecret: string
}

/** The accounts of the stack that runs in a folder; or those that ACCOUNTS_ADDRESS and INTERNAL_SECRET name. */
export function findAccounts(dir: string, environment: NodeJS.ProcessEnv): AccountsAt {
  const { ACCOUNTS_ADDRESS: named, INTERNAL_SECRET: secret } = environment
  if (named !== undefined && secret !== undefined) return { address: named, internalSecret: secret }
  const address = findRunningStack(dir)?.processes['auth']?.address
  if (address === undefined) throw new Error(`No stack runs in ${dir}: npm start`)
  return { address, internalSecret: readSecrets(dir).internalSecret }
}

/** Takes a PIN away that its owner has lost, or locked for good; answers what to tell him. */
export async function forgetPin(
  { address, internalSecret }: AccountsAt,
  identity: OperatorIdentity,
  username: string,
): Promise<string> {
  const interceptors = [signCalls(identity, 'auth')]
  const client = new AccountServiceClient(address, clientCredentials, {
    ...clientOptions,
    interceptors,
  })
  const call = openCall(Buffer.from(internalSecret, 'hex'), 'unavailable')
  await call<ForgetPinResponse>(deadlineMs, (metadata, options, done) =>
    client.forgetPin({ username }, metadata, options, done),
  ).finally(() => {
    client.close()
  })
  return `${username} has no PIN and is signed out everywhere; the hub asks for a new one`
}
