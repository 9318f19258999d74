import { openLog } from '@malipo/runtime/log'
import type { OperatorIdentity } from '@malipo/runtime/operator-signature'
import type { Started } from '@malipo/runtime/process'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { testIdentityDir } from '@malipo/testing/identities'
import { readConfig } from '../../../../services/ledger/src/config'
import { start } from '../../../../services/ledger/src/start'
import { type Connections, openConnections } from './ledgers'

/** Runs a ledger of Kenya for the tests of a file. Returns its address, as the operators' tool is given it. */
export function kenyaLedgerOfFile(): () => string {
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
  return () => `127.0.0.1:${String(ledger.ports['grpc'])}`
}

/** The environment variables by which an operator names a ledger. */
export const environmentOf = (address: string, country = 'ke') => ({
  ...{ LEDGER_ADDRESS: address, COUNTRY: country, TLS_DIR: testIdentityDir('operator') },
})

/** The ledger of Kenya at an address, and one of Uganda that does not answer. */
export function openBesideSilent(address: string, identity?: OperatorIdentity): Connections {
  const signedBy = identity === undefined ? {} : { identity }
  const [kenya, uganda] = [
    openConnections('/nowhere', environmentOf(address), signedBy),
    openConnections('/nowhere', environmentOf('127.0.0.1:1', 'ug'), signedBy),
  ]
  return {
    ...{ stack: undefined, ledgers: [...kenya.ledgers, ...uganda.ledgers] },
    close() {
      for (const { close } of [kenya, uganda]) close()
    },
  }
}
