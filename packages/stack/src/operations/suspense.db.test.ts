import {
  type LedgerServiceServer,
  LedgerServiceService,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { openCallsOf } from '@malipo/runtime/calls.harness'
import { openLog } from '@malipo/runtime/log'
import type { Started } from '@malipo/runtime/process'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { testIdentityDir } from '@malipo/testing/identities'
import { readConfig } from '../../../../services/ledger/src/config'
import { ledgerCallers } from '../../../../services/ledger/src/methods'
import { start } from '../../../../services/ledger/src/start'
import { openConnections } from './ledgers'
import { listSuspense } from './suspense'

let database: TestDatabase
let ledger: Started

beforeAll(async () => {
  database = await cloneDatabase('ledger')
  const config = readConfig({
    ...{ COUNTRY: 'ke', PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent' },
    PAY_BILL_NUMBER_KEY: Buffer.alloc(32, 5).toString('hex'),
    TLS_DIR: testIdentityDir('ledger-ke'),
    DATABASE_URL: database.url,
  })
  ledger = await start(config, openLog('ledger', 'silent'))
})

afterAll(async () => {
  await ledger.stop()
  await database.drop()
})

const address = () => `127.0.0.1:${String(ledger.ports['grpc'])}`

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
