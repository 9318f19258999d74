import { FreezingOutcome } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { openLedger, type TestLedger } from '../ledger.harness'
import { note, operators } from './operators.harness'

let at: TestLedger
let by: ReturnType<typeof operators>

beforeAll(async () => {
  at = await openLedger()
  by = operators(at)
  await by.enroll()
})

afterAll(() => at.close())

const ask = async (accountId: string, frozen: boolean) =>
  (await by.amina.askFreezing({ accountId, frozen, note })).outcome

test('is asked once for a wallet, and not for what the wallet is', async () => {
  const accountId = await at.pay.merchant()
  expect(await ask(accountId, false)).toBe(FreezingOutcome.NOTHING_TO_DO)
  expect(await ask(accountId, true)).toBe(FreezingOutcome.ASKED)
  expect(await ask(accountId, true)).toBe(FreezingOutcome.FREEZING_UNDERWAY)
  expect(await ask('acc_gone', true)).toBe(FreezingOutcome.WALLET_NOT_FOUND)
})

test('refuses a freezing without a note', async () => {
  const request = { accountId: 'acc_1', frozen: true, note: ' ' }
  await expect(by.amina.askFreezing(request)).rejects.toMatchObject({ facts: { field: 'note' } })
})
