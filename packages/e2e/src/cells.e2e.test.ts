import { cellOf } from '@malipo/kernel/cells'
import type { Merchant as StackMerchant } from '@malipo/stack/stack-file'
import { eventually } from '@malipo/testing/eventually'
import { openReceiver, type Receiver } from '@malipo/testing/webhook-receiver'
import { type Fixture, openFixture } from './fixture'
import { ask } from './http'
import { type Journal, openJournal } from './journal'
import { type Merchant, openMerchant } from './merchant'
import { operate } from './operator'
import { addAddress } from './webhook-proof/shops'

// Kenya as two cells behind one host: each has its own ledger, database, worker and business number.

interface Shop {
  readonly merchant: Merchant
  readonly journal: Journal
  readonly receiver: Receiver
  readonly businessNumber: string
}

let fixture: Fixture
let shops: readonly [Shop, Shop]

beforeAll(async () => {
  // With the waits of production, because one of them runs out here.
  fixture = await openFixture({ NODE_OPTIONS: '' }, ['--cells', '2'])
  const { merchants, databases } = fixture.stack.file
  const [first, second] = merchants.filter(({ country }) => country === 'ke')
  const { ledger_ke, ledger_ke_cell_1 } = databases
  shops = [
    await openShop(first, ledger_ke, '600100'),
    await openShop(second, ledger_ke_cell_1, '600200'),
  ]
})
afterAll(async () => {
  for (const { journal, receiver } of shops) {
    await journal.close()
    await receiver.stop()
  }
  await fixture.close()
})

async function openShop(
  own: StackMerchant | undefined,
  databaseUrl: string | undefined,
  businessNumber: string,
): Promise<Shop> {
  if (own === undefined || databaseUrl === undefined) throw new Error('The stack lacks a cell')
  const { file } = fixture.stack
  const receiver = await openReceiver()
  await addAddress(file.hosts.ke.auth_url, { ...own, url: receiver.url })
  const merchant = openMerchant({ ...file, merchants: [own] })
  return { merchant, journal: openJournal(databaseUrl), receiver, businessNumber }
}

const publicUrl = (path: string) =>
  `${fixture.stack.file.hosts.ke.base_url}/v1/payments/public${path}`

interface Read {
  readonly data: { readonly checkout: { readonly paybill: PayBill } }
}
interface PayBill {
  readonly business_number: string
  readonly account_number: string
}

async function payBillOf(checkoutId: string): Promise<PayBill> {
  return (await ask<Read>(publicUrl(`/checkouts/${checkoutId}`))).body.data.checkout.paybill
}

/** The receipt of a checkout, once it is completed. */
const receiptOf = ({ merchant }: Shop, id: string) =>
  eventually('the checkout is completed', async () => {
    const { status, payment } = await merchant.readCheckout(id)
    return status === 'completed' && (payment?.provider_receipt ?? undefined)
  })

const receiptsIn = async ({ journal }: Shop) =>
  (await journal.transfers()).map(({ event_key: key }) => key.split(':')[2])

const eventsAt = ({ receiver }: Shop) =>
  receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: { id: string } })

const both = [0, 1] as const

test.each(both)(
  'a payment by prompt in cell %i is posted in the journal of its cell alone, and its webhook arrives at its merchant alone',
  async (cell) => {
    const [shop, other] = [shops[cell], shops[1 - cell] ?? shops[0]]
    const { id } = await shop.merchant.createCheckout({ amount: 50_000 })
    const msisdn = await fixture.provider.addPhone('approve', '25479')
    const intentId = await fixture.newPayer().payUntilAnswered(id, msisdn)
    expect([cellOf(id), cellOf(intentId)]).toEqual([cell, cell])
    const receipt = await receiptOf(shop, id)
    expect(await receiptsIn(shop)).toContain(receipt)
    expect(await receiptsIn(other)).not.toContain(receipt)
    const paid = { type: 'checkout.completed', data: { id } }
    await eventually('the event arrives', () =>
      Promise.resolve(
        eventsAt(shop).some((event) => event.type === paid.type && event.data.id === id),
      ),
    )
    expect(eventsAt(other).some((event) => event.data.id === id)).toBe(false)
  },
)

test.each(both)(
  'a payment from the menu to the number of cell %i completes its checkout',
  async (cell) => {
    const shop = shops[cell]
    const { id } = await shop.merchant.createCheckout({ amount: 50_000 })
    const numbers = await payBillOf(id)
    expect(numbers.business_number).toBe(shop.businessNumber)
    const msisdn = await fixture.provider.addPhone('approve', '25479')
    const paid = await fixture.provider.payFromMenu(msisdn, { ...numbers, amount: '50000' })
    expect(await receiptOf(shop, id)).toBe(paid)
    expect(await receiptsIn(shop)).toContain(paid)
  },
)

test('money that a cell holds is refunded there, and the operator who approves need not name the cell', async () => {
  const [, shop] = shops
  const { dir } = fixture.stack
  const msisdn = await fixture.provider.addPhone('approve', '25479')
  await fixture.provider.playPack('both-paid', { msisdn })
  const { id } = await shop.merchant.createCheckout({ amount: 50_000 })
  await fixture.newPayer().payUntilAnswered(id, msisdn)
  const receipt = await eventually('a receipt is held', async () => {
    const held = (await shop.journal.transfers()).find(({ credit }) =>
      credit.startsWith('suspense:'),
    )
    return held?.event_key.split(':')[2]
  })
  for (const name of ['amina', 'brian']) {
    expect((await operate(dir, 'enroll', name)).text).toContain('ke-cell-1 enrolled')
  }
  const note = ['--note', 'paid twice', '--identity']
  const refund = ['suspense', 'refund', `mpesa:${receipt}`, '--cell', '1']
  const answer = await operate(dir, ...refund, ...note, 'amina')
  const [refundId = ''] = /rf_\w+/.exec(answer.text) ?? []
  expect(cellOf(refundId)).toBe(1)
  // The id of the refund contains its cell, so the operator need not name it.
  expect((await operate(dir, 'suspense', 'approve', refundId, ...note, 'brian')).text).toBe(
    'approved\n',
  )
  await eventually('the money is back', async () => {
    const transfers = await shop.journal.transfers()
    return transfers.some(({ event_key: key }) => key === `refunded:mpesa:${receipt}`)
  })
  expect(await operate(dir, 'audit')).toMatchObject({ isGood: true })
})

test('while a cell’s ledger is stopped, its checkouts return 503, and the other cell is paid and returns 404 for unknown ids', async () => {
  const [lives, dies] = shops
  const { id } = await dies.merchant.createCheckout({ amount: 50_000 })
  fixture.stack.signal('ledger-ke-cell-1', 'SIGSTOP')
  const away = await ask(publicUrl(`/checkouts/${id}`))
  const unknown = await ask(publicUrl(`/checkouts/cs_ke_${'0'.repeat(24)}`))
  const made = await lives.merchant.createCheckout({ amount: 50_000 })
  const msisdn = await fixture.provider.addPhone('approve', '25479')
  await fixture.newPayer().payUntilAnswered(made.id, msisdn)
  await receiptOf(lives, made.id)
  fixture.stack.signal('ledger-ke-cell-1', 'SIGCONT')
  expect([away.status, unknown.status]).toEqual([503, 404])
  const late = await fixture.provider.addPhone('approve', '25479')
  await fixture.newPayer().payUntilAnswered(id, late)
  await receiptOf(dies, id)
})
