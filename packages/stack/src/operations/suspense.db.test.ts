import {
  type LedgerServiceServer,
  LedgerServiceService,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { openCallsOf } from '@malipo/runtime/calls.harness'
import { testIdentityDir } from '@malipo/testing/identities'
import { ledgerCallers } from '../../../../services/ledger/src/methods'
import { kenyaLedgerOfFile } from './kenya-ledger.harness'
import { openConnections } from './ledgers'
import { listSuspense } from './suspense'

const address = kenyaLedgerOfFile()

/** Posts KES 500.00 without a known owner by each of so many rows of the statement. */
async function hold(count: number, prefix: string): Promise<void> {
  const { calls, close } = openCallsOf<LedgerServiceServer>({
    server: 'ledger-ke',
    definition: LedgerServiceService,
    callers: ledgerCallers('ke'),
    address: address(),
    whenUnavailable: 'ledger_unavailable',
  })
  const receipts = Array.from({ length: count }, (_, place) => `${prefix}${String(1_000 + place)}`)
  const owner = { accountNumber: 'rent', amountMinor: 50_000n, payeeUnknown: false }
  const rows = receipts.map((receipt) => ({
    body: Buffer.from(receipt),
    paid: { ...owner, receipt },
  }))
  await calls.takeStatementRows({ rows })
  close()
}

async function listed(): Promise<string[]> {
  const environment = {
    ...{ LEDGER_ADDRESS: address(), COUNTRY: 'ke', TLS_DIR: testIdentityDir('operator') },
  }
  const connections = openConnections('', environment)
  const text = await listSuspense(connections, 0)
  connections.close()
  return text.trimEnd().split('\n')
}

test('says how much is held in all where not all of it is listed', async () => {
  await hold(250, 'QK12AB')
  const all = await listed()
  expect(all).toHaveLength(251)
  expect(all.at(-1)).toMatch(/^ke +mpesa:QK12AB/)
  await hold(1, 'QK34CD')
  const cut = await listed()
  expect(cut).toHaveLength(252)
  expect(cut.at(-1)).toBe('ke: 251 in all, KES 125500; the oldest 250 are listed')
})
