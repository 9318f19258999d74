import { FreezingOutcome } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { meanwhile } from '../locks.harness'
import { brian, enrolledOperators, note } from '../operators/operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

const ask = async (accountId: string, frozen: boolean) =>
  (await by.amina.askFreezing({ accountId, frozen, note })).outcome

test('a freezing of a wallet is requested once; thawing a wallet that is not frozen and an unknown wallet are refused', async () => {
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

test('a freezing of a wallet that another transaction freezes at the same moment is refused', async () => {
  const accountId = await at.pay.merchant()
  const frozen = 'UPDATE wallets SET frozen_at = now() WHERE account_id = $1'
  expect(await meanwhile(at, [frozen, [accountId]], () => ask(accountId, true))).toBe(
    FreezingOutcome.NOTHING_TO_DO,
  )
})

test('a freezing that another operator requests at the same moment is requested once', async () => {
  const accountId = await at.pay.merchant()
  const statement = `INSERT INTO freezings (id, account_id, is_frozen, status, asked_by, asked_at)
    VALUES ('fr_' || repeat('0', 24), $1, true, 'asked', $2, now())`
  const second = meanwhile(at, [statement, [accountId, brian.operatorId]], () =>
    ask(accountId, true),
  )
  expect(await second).toBe(FreezingOutcome.FREEZING_UNDERWAY)
  const { rowCount } = await at.database.pool.query(
    'SELECT FROM operator_actions WHERE subject = $1',
    [accountId],
  )
  expect(rowCount).toBe(0)
})
