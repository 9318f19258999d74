import { WalletMove } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { uniqueReceipt } from '../payments.harness'

const at = ledgerOfFile()

async function earn(accountId: string, reference: string, receipt = uniqueReceipt()) {
  const { checkoutId } = await at.pay.checkout({ accountId, reference })
  await at.pay.paid(await at.pay.pending(checkoutId), { receipt })
  return { checkoutId, receipt }
}

const list = (accountId: string, limit = 50, beforeEntryId?: string) =>
  at.ledger.listWalletEntries({ accountId, limit, beforeEntryId })

test('lists wallet entries, newest first, with their purpose and receipt', async () => {
  const accountId = await at.pay.merchant()
  const first = await earn(accountId, 'order-1')
  const second = await earn(accountId, 'order-2')
  const came = (paid: typeof first, reference: string) => ({
    entryId: expect.any(String),
    minor: 50_000n,
    at: expect.any(Date),
    provider: 'mpesa',
    ...paid,
    reference,
    phone: expect.stringMatching(/^254/),
    move: WalletMove.RECEIVED,
  })
  expect(await list(accountId)).toEqual({
    entries: [came(second, 'order-2'), came(first, 'order-1')],
    hasMore: false,
  })
})

test('pages through all entries, each once', async () => {
  const accountId = await at.pay.merchant()
  for (const reference of ['1', '2', '3', '4', '5']) await earn(accountId, reference)
  const first = await list(accountId, 3)
  const second = await list(accountId, 3, first.entries.at(-1)?.entryId)
  expect([first.hasMore, second.hasMore]).toEqual([true, false])
  const references = [...first.entries, ...second.entries].map(({ reference }) => reference)
  expect(references).toEqual(['5', '4', '3', '2', '1'])
})

test('shows no entry of another wallet, even when the page is to start after an entry of that wallet', async () => {
  const accountId = await at.pay.merchant()
  await earn(accountId, 'mine')
  const mine = (await list(accountId)).entries[0]?.entryId
  const other = await at.pay.merchant()
  expect((await list(other)).entries).toEqual([])
  expect((await list(other, 50, mine)).entries).toEqual([])
})

test('refuses a page of 51 entries', async () => {
  await expect(list('acc_x', 51)).rejects.toMatchObject({ reason: 'invalid_request' })
})
