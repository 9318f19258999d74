import { testIdentityDir } from '@malipo/testing/identities'
import { auditAll } from './audit'
import { kenyaLedgerOfFile } from './kenya-ledger.harness'
import { type Connections, openConnections } from './ledgers'

const address = kenyaLedgerOfFile()

function connect(country: string, ledgerAddress: string): Connections {
  return openConnections('/nowhere', {
    ...{ LEDGER_ADDRESS: ledgerAddress, COUNTRY: country },
    TLS_DIR: testIdentityDir('operator'),
  })
}

test('shows what one ledger answered beside one that did not answer', async () => {
  const [kenya, uganda] = [connect('ke', address()), connect('ug', '127.0.0.1:1')]
  const ledgers = [...kenya.ledgers, ...uganda.ledgers]
  const { table, holds } = await auditAll({ ...kenya, ledgers })
  for (const { close } of [kenya, uganda]) close()
  expect(holds).toBe(false)
  expect(table).toMatch(/^holds +ledger-ke +1 /m)
  expect(table).toMatch(/^NO ANSWER +ledger-ug +see docs\/runbooks\/process-down\.md$/m)
})
