import type { StackFile } from '../stack-file'
import { auditAll } from './audit'
import { environmentOf, kenyaLedgerOfFile, openBesideSilent } from './kenya-ledger.harness'
import { openConnections } from './ledgers'

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

test('names the questions that it does not ask in a cluster, and why, and holds by those that it asked', async () => {
  const connections = openConnections('/nowhere', environmentOf(address()))
  const { table, holds } = await auditAll(connections)
  connections.close()
  expect(holds).toBe(true)
  const unasked = table.split('\n').filter((line) => line.startsWith('NOT ASKED'))
  const parts = unasked.map((line) => line.split(/ {2,}/))
  expect(parts.slice(0, -1).map(([, where, number]) => [where, number])).toEqual([
    ['ledger_ke', '26'],
    ['ledger_ug', '26'],
    ['keys', '27'],
    ['keys', '28'],
    ['accounts', '29'],
    ['simulator', '10'],
  ])
  expect(unasked[2]).toMatch(
    / {2}an account has at most one live key.+ {2}asked of a local stack only$/,
  )
  expect(unasked.at(-1)).toMatch(/^NOT ASKED +other ledgers +LEDGER_ADDRESS names one ledger/)
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
