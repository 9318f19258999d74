import { ledgerOfFile } from '../ledger.harness'

const at = ledgerOfFile()

test('an open wallet takes money', async () => {
  const accountId = await at.pay.merchant()
  expect(await at.ledger.checkWallet({ accountId })).toEqual({
    accepting: true,
    wholeMajorsOnly: false,
  })
})

test('a frozen wallet takes no money', async () => {
  const accountId = await at.pay.merchant()
  await at.database.pool.query('UPDATE wallets SET frozen_at = now() WHERE account_id = $1', [
    accountId,
  ])
  expect(await at.ledger.checkWallet({ accountId })).toEqual({
    accepting: false,
    wholeMajorsOnly: false,
  })
})

test('an account without a wallet takes no money', async () => {
  expect(await at.ledger.checkWallet({ accountId: 'acc_unknown' })).toEqual({
    accepting: false,
    wholeMajorsOnly: false,
  })
})
