import { ledgerOfFile } from '../ledger.harness'

const at = ledgerOfFile()

const read = async (accountId: string) => (await at.ledger.readWallet({ accountId })).wallet

test('shows a new wallet as empty', async () => {
  expect(await read(await at.pay.merchant())).toEqual({
    balance: { currency: 'KES', minor: 0n },
    openedAt: expect.any(Date),
    frozen: false,
    unconfirmedMinor: 0n,
  })
})

test('shows the money paid to its owner, without held money and without the money of others', async () => {
  const accountId = await at.pay.merchant()
  for (const amountMinor of [50_000n, 12_345n]) {
    const { checkoutId } = await at.pay.checkout({ accountId, amountMinor })
    await at.pay.paid(await at.pay.pending(checkoutId))
  }
  const { checkoutId: wrong } = await at.pay.checkout({ accountId })
  await at.pay.paid(await at.pay.pending(wrong), { amountMinor: 49_900n })
  const { checkoutId: another } = await at.pay.checkout()
  await at.pay.paid(await at.pay.pending(another))
  expect((await read(accountId))?.balance?.minor).toBe(62_345n)
})

test('shows since when a wallet is frozen', async () => {
  const accountId = await at.pay.merchant()
  const freeze = 'UPDATE wallets SET frozen_at = now() WHERE account_id = $1'
  await at.database.pool.query(freeze, [accountId])
  expect(await read(accountId)).toMatchObject({
    ...{ frozen: true, frozenAt: expect.any(Date) as Date },
  })
})

test('returns no wallet for an account without one', async () => {
  expect(await read('acc_unknown')).toBeUndefined()
})
