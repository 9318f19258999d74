import {
  type AccountServiceServer,
  AccountServiceService,
} from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Calls } from '@malipo/runtime/grpc'
import { openGrpcClient } from '@malipo/runtime/grpc-client'
import { openLog } from '@malipo/runtime/log'
import { signCalls } from '@malipo/runtime/operator-calls'
import type { OperatorIdentity } from '@malipo/runtime/operator-signature'
import { openTlsIdentity } from '@malipo/runtime/tls-identity'
import { identityDirOf } from '../certificates'
import { findRunningStack } from '../claim'
import { type Elsewhere, findAccountsElsewhere } from './elsewhere'

const deadlineMs = 10_000

/** The accounts of the stack that runs in a folder, or those of ACCOUNTS_ADDRESS and TLS_DIR. Throws what to set. */
export function findAccounts(dir: string, environment: NodeJS.ProcessEnv): Elsewhere {
  const elsewhere = findAccountsElsewhere(environment)
  if (elsewhere !== undefined) return elsewhere
  const address = findRunningStack(dir)?.processes['auth']?.address
  if (address === undefined) throw new Error(`No stack runs in ${dir}: npm start`)
  return { address, tlsDir: identityDirOf(dir, 'operator') }
}

/** The accounts as an operator calls them. */
export interface SigningAccounts {
  readonly elsewhere: Elsewhere
  readonly identity: OperatorIdentity
}

/** Asks the accounts as an operator: each call is signed. */
export async function askAccounts<Answer>(
  { elsewhere: { address, tlsDir }, identity }: SigningAccounts,
  ask: (accounts: Calls<AccountServiceServer>) => Promise<Answer>,
): Promise<Answer> {
  const interceptors = [signCalls(identity, 'auth')]
  const { channel } = openTlsIdentity(tlsDir, openLog('operate', 'warn'))
  const { within, close } = openGrpcClient<AccountServiceServer>({
    ...{ address, identity: { channel }, interceptors },
    server: 'auth',
    definition: AccountServiceService,
    whenUnavailable: 'unavailable',
  })
  return ask(within(deadlineMs)).finally(close)
}
