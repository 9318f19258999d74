import {
  type AccountServiceServer,
  AccountServiceService,
  type PinForgettingOutcome,
} from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Calls } from '@malipo/runtime/grpc'
import { openGrpcClient } from '@malipo/runtime/grpc-client'
import { openLog } from '@malipo/runtime/log'
import { signCalls } from '@malipo/runtime/operator-calls'
import type { OperatorIdentity } from '@malipo/runtime/operator-signature'
import { openTlsIdentity } from '@malipo/runtime/tls-identity'
import { identityDirOf } from '../certificates'
import { findRunningStack } from '../claim'
import type { Done } from './done'
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

/** Asks to take a PIN away that its owner has lost, or locked for good; returns what is to be done next. */
export async function forgetPin(accounts: SigningAccounts, username: string): Promise<Done> {
  const { outcome } = await asking(accounts, (calls) => calls.forgetPin({ username }))
  return message(username, outcome)
}

/** Approves the act that another operator asked for, or withdraws it. */
export async function decidePinForgetting(
  accounts: SigningAccounts,
  username: string,
  agreed: boolean,
): Promise<Done> {
  const { outcome } = await asking(accounts, (calls) =>
    calls.decidePinForgetting({ username, agreed }),
  )
  return message(username, outcome)
}

const sentences = {
  PIN_FORGETTING_OUTCOME_ASKED: 'keeps its PIN until another operator agrees: pin approve',
  PIN_FORGETTING_OUTCOME_ASKED_BEFORE:
    'is asked for already, and keeps its PIN until another operator agrees: pin approve',
  PIN_FORGETTING_OUTCOME_FORGOTTEN:
    'has no PIN and is signed out everywhere; the hub asks for a new one',
  PIN_FORGETTING_OUTCOME_WITHDRAWN: 'keeps its PIN',
  PIN_FORGETTING_OUTCOME_NOT_ASKED:
    'keeps its PIN: no operator who is still enrolled asked for it in the last 24 hours; ask with pin forget',
  PIN_FORGETTING_OUTCOME_SAME_OPERATOR:
    'keeps its PIN: another operator than the one who asked has to agree',
  PIN_FORGETTING_OUTCOME_UNSPECIFIED: 'got an answer that this release does not know',
} as const satisfies Record<PinForgettingOutcome, string>

function message(username: string, outcome: PinForgettingOutcome): Done {
  const isDone = /_OUTCOME_(?:ASKED|FORGOTTEN|WITHDRAWN)$/.test(outcome)
  return { message: `${username} ${sentences[outcome]}`, isDone }
}

async function asking<Answer>(
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
