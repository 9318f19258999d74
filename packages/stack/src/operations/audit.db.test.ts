import { openLog } from '@malipo/runtime/log'
import type { Started } from '@malipo/runtime/process'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { testIdentityDir } from '@malipo/testing/identities'
import { readConfig } from '../../../../services/ledger/src/config'
import { start } from '../../../../services/ledger/src/start'
import { auditAll } from './audit'
import { type Connections, openConnections } from './ledgers'

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

function connect(country: string, port: unknown): Connections {
  return openConnections('/nowhere', {
    ...{ LEDGER_ADDRESS: `127.0.0.1:${String(port)}`, COUNTRY: country },
    TLS_DIR: testIdentityDir('operator'),
  })
}

test('shows what one ledger answered beside one that did not answer', async () => {
  const [kenya, uganda] = [connect('ke', ledger.ports['grpc']), connect('ug', 1)]
  const ledgers = [...kenya.ledgers, ...uganda.ledgers]
  const { table, holds } = await auditAll({ ...kenya, ledgers })
  for (const { close } of [kenya, uganda]) close()
  expect(holds).toBe(false)
  expect(table).toMatch(/^holds +ledger-ke +1 /m)
  expect(table).toMatch(/^NO ANSWER +ledger-ug +see docs\/runbooks\/process-down\.md$/m)
})
