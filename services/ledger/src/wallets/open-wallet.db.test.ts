import { ledgerOfFile } from '../ledger.harness'
import { present, unique } from '../payments.harness'

const at = ledgerOfFile()
const { pay } = at

async function cardOf(checkoutId: string) {
  return present((await at.ledger.readCheckout({ checkoutId })).checkout).card
}

test('opens a wallet whose account can be paid, with its account in the journal', async () => {
  const accountId = unique('acc_')
  await at.ledger.openWallet({ accountId, cardEnabled: false })
  expect((await pay.checkout({ accountId })).checkoutId).toMatch(/^cs_ke_/)
  const { rows } = await at.database.pool.query('SELECT currency FROM accounts WHERE id = $1', [
    `wallet:${accountId}`,
  ])
  expect(rows).toEqual([{ currency: 'KES' }])
})

test('opening a wallet again changes whether it takes cards, and nothing else', async () => {
  const accountId = unique('acc_')
  await at.ledger.openWallet({ accountId, cardEnabled: false })
  const { checkoutId } = await pay.checkout({ accountId })
  expect(await cardOf(checkoutId)).toBeUndefined()
  await at.ledger.openWallet({ accountId, cardEnabled: true })
  expect(await cardOf(checkoutId)).toBeDefined()
})

test('opening a frozen wallet again does not thaw it', async () => {
  const accountId = await pay.merchant()
  await at.database.pool.query('UPDATE wallets SET frozen_at = now() WHERE account_id = $1', [
    accountId,
  ])
  await at.ledger.openWallet({ accountId, cardEnabled: true })
  await expect(pay.checkout({ accountId })).rejects.toMatchObject({ reason: 'checkout_not_found' })
})

test('20 calls at the same moment open one wallet', async () => {
  const accountId = unique('acc_')
  const opens = Array.from({ length: 20 }, () =>
    at.ledger.openWallet({ accountId, cardEnabled: true }),
  )
  await Promise.all(opens)
  const { rowCount } = await at.database.pool.query('SELECT 1 FROM wallets WHERE account_id = $1', [
    accountId,
  ])
  expect(rowCount).toBe(1)
})

test.each(['', 'a'.repeat(65)])('refuses the account id "%s"', async (accountId) => {
  await expect(at.ledger.openWallet({ accountId, cardEnabled: false })).rejects.toMatchObject({
    reason: 'invalid_request',
    facts: { field: 'account_id' },
  })
})

test('a wallet that takes cards goes on taking them when it is opened again without cardEnabled', async () => {
  const accountId = unique('acc_')
  await at.ledger.openWallet({ accountId, cardEnabled: true })
  await at.ledger.openWallet({ accountId })
  const { checkoutId } = await pay.checkout({ accountId })
  expect(await cardOf(checkoutId)).toBeDefined()
})
