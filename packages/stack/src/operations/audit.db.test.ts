import type { StackFile } from '../stack-file'
import { auditAll } from './audit'
import { kenyaLedgerOfFile, openBesideSilent } from './kenya-ledger.harness'

const address = kenyaLedgerOfFile()
const silent = 'postgresql://none@127.0.0.1:1/none'

test('shows what one ledger answered beside one that did not answer', async () => {
  const connections = openBesideSilent(address())
  const { table, holds } = await auditAll(connections)
  connections.close()
  expect(holds).toBe(false)
  expect(table).toMatch(/^holds +ledger-ke +1 /m)
  expect(table).toMatch(/^NO ANSWER +ledger-ug +see docs\/runbooks\/process-down\.md$/m)
})

test('shows what a ledger answered beside databases and a simulator that did not answer', async () => {
  const stack = { databases: { keys: silent }, simulator: { url: 'http://127.0.0.1:1' } }
  const connections = { ...openBesideSilent(address()), stack: stack as unknown as StackFile }
  const detached = { dirOf: () => '/nowhere', ownerUrl: () => silent }
  const { table, holds } = await auditAll(connections, { detached })
  connections.close()
  expect(holds).toBe(false)
  expect(table).toMatch(/^holds +ledger-ke +1 /m)
  expect(table).toMatch(/^NO ANSWER +keys +27 /m)
  expect(table).toMatch(/^NO ANSWER +simulator +10 /m)
  expect(table).toMatch(/^NO ANSWER +ledger-ke +see docs/m)
})
