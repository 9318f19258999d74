import { openAccounts } from '@malipo/accounts-client/accounts'
import { openLog } from '@malipo/runtime/log'
import { openTlsIdentity } from '@malipo/runtime/tls-identity'
import { testIdentityDir } from '@malipo/testing/identities'
import { openSurroundings, type Surroundings } from '../start.harness'
import { openFindPayee } from './find-payee'

let around: Surroundings
let accounts: ReturnType<typeof openAccounts>

beforeAll(async () => {
  around = await openSurroundings()
  const identity = openTlsIdentity(testIdentityDir('worker-ke'), openLog('test', 'silent'))
  accounts = openAccounts({ address: around.accounts.address, identity, readMs: 60_000 })
})
afterAll(async () => {
  accounts.close()
  await around.stop()
})

test('a handle is paid in the country and the cell of its owner, and in no other', async () => {
  const { accountId, handle } = await around.accounts.add()
  const find = (country: 'ke' | 'ug', cell: number) =>
    openFindPayee(accounts, { country, cell })(handle)
  expect(await find('ke', 0)).toEqual({ accountId, handle })
  expect(await find('ke', 1)).toBeUndefined()
  expect(await find('ug', 0)).toBeUndefined()
})
