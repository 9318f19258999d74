import { generateKeyPairSync } from 'node:crypto'
import {
  type LedgerServiceServer,
  LedgerServiceService,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { openCallsOf } from '@malipo/runtime/calls.harness'
import { signCalls } from '@malipo/runtime/operator-calls'
import { openOperatorIdentity } from '@malipo/runtime/operator-signature'
import { cloneDatabase } from '@malipo/testing/database'
import { ledgerCallers } from '../../../ledger/src/methods'
import {
  openReplica,
  unpackPinned,
} from '../../../ledger/src/proofs/releases/pinned-ledger.harness'
import { startAuth } from '../start.harness'

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

/** Starts the ledger of an earlier release, which does not say whether the operator who asked is still enrolled. */
async function startEarlierLedger() {
  const database = await cloneDatabase('ledger')
  closers.push(() => database.drop())
  const pinned = unpackPinned()
  closers.push(pinned.remove)
  const replica = await openReplica()
  const running = await pinned.start({ ...replica, databaseUrl: database.url })
  closers.push(running.stop)
  return `127.0.0.1:${String(replica.port)}`
}

async function enrolled(address: string, name: string) {
  const identity = openOperatorIdentity(generateKeyPairSync('ed25519').privateKey)
  const { calls, close } = openCallsOf<LedgerServiceServer>({
    ...{ server: 'ledger-ke', definition: LedgerServiceService, callers: ledgerCallers('ke') },
    ...{ address, whenUnavailable: 'ledger_unavailable' },
    interceptors: [signCalls(identity, 'ke')],
  })
  await calls.enrollOperator({ name, publicKey: identity.publicKey })
  close()
  return identity
}

test('with a ledger of an earlier release two operators remove a PIN, and one does not', async () => {
  const address = await startEarlierLedger()
  const database = await cloneDatabase('auth')
  closers.push(() => database.drop())
  const auth = await startAuth(database, { ledgerAddresses: { ke: [address], ug: [] } })
  closers.push(() => auth.stop())
  const amina = auth.as(await enrolled(address, 'amina'))
  const brian = auth.as(await enrolled(address, 'brian'))
  await auth.createAccount('earlier-ledger')
  const agreeing = { username: 'earlier-ledger', agreed: true }
  await amina.forgetPin({ username: 'earlier-ledger' })
  const own = await amina.decidePinForgetting(agreeing)
  expect(own.outcome).toBe('PIN_FORGETTING_OUTCOME_SAME_OPERATOR')
  const others = await brian.decidePinForgetting(agreeing)
  expect(others.outcome).toBe('PIN_FORGETTING_OUTCOME_FORGOTTEN')
})
