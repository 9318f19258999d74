import { randomBytes } from 'node:crypto'
import { type PayBillPaid, Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerPayments } from '../ledger-payments.harness'
import { upstreamsOfFile } from '../upstreams.harness'
import { authOfFile, type SignedInBrowser } from '../start.harness'
import type { CheckoutPage } from '@malipo/interface/hub'
import { transferSql } from '@malipo/testing/transfer-sql'

const upstreams = upstreamsOfFile()
const { auth } = authOfFile(upstreams)
let owner: SignedInBrowser
let shops = 0
let make: ReturnType<typeof ledgerPayments>['make']
let pay: ReturnType<typeof ledgerPayments>['pay']
let fail: ReturnType<typeof ledgerPayments>['fail']
let leaveUnanswered: ReturnType<typeof ledgerPayments>['leaveUnanswered']

beforeEach(async () => {
  owner = await auth.signedIn(`shop-${String((shops += 1))}`)
  ;({ make, pay, fail, leaveUnanswered } = ledgerPayments(upstreams, owner))
  await upstreams.ledger.openWallet({ accountId: owner.accountId })
})

/** Pays from the Pay Bill menu without a phone number. Returns the receipt. */
async function payFromMenu(accountNumber: string, payee?: PayBillPaid['payee']): Promise<string> {
  const receipt = `P${randomBytes(5).toString('hex').toUpperCase()}`
  const { messageId } = await upstreams.ledger.storeProviderMessage({
    rail: Rail.PAYBILL,
    kind: 'PROVIDER_MESSAGE_KIND_STATEMENT_ROW',
    subject: undefined,
    body: Buffer.from(receipt),
    sourceAddress: '196.201.214.200',
    sourceKnown: true,
  })
  const amountMinor = 150_050n
  const value = { receipt, accountNumber, amountMinor, payee, payeeUnknown: false }
  await upstreams.ledger.applyEvidence({ messageId, fact: { $case: 'payBillPaid', value } })
  return receipt
}

async function list(query = ''): Promise<CheckoutPage> {
  return (await owner.get(`/checkouts${query}`)).body.data
}

test("lists the owner's checkouts, newest first, with masked phones", async () => {
  const paid = await make('order-1')
  await pay(paid)
  const open = await make('order-2', 'Two crates')
  const { checkouts, has_more: hasMore } = await list()
  expect(hasMore).toBe(false)
  expect(checkouts).toEqual([
    {
      id: open,
      status: 'open',
      amount: '150050',
      currency: 'KES',
      reference: 'order-2',
      description: 'Two crates',
      created_at: expect.any(String),
      expires_at: expect.any(String),
      completed_at: null,
      ...{ paid_after_expiry: false, money_held: false, found_unpaid: false },
      ...{ reported_at: null, may_have_paid: false },
      payment: null,
    },
    expect.objectContaining({
      id: paid,
      status: 'completed',
      payment: expect.objectContaining({ phone: '***149', amount_settled: '150050' }),
    }),
  ])
})

test('shows why the last intent of an open checkout failed, with phone and rail', async () => {
  const checkoutId = await make('order-1')
  await fail(checkoutId)
  expect((await list()).checkouts).toEqual([
    expect.objectContaining({
      status: 'open',
      payment: expect.objectContaining({
        status: 'failed',
        phone: '***177',
        rail: 'mpesa',
        cause: 'wrong_pin',
      }),
    }),
  ])
})

test('says that an earlier try may still be paid once a later one failed, also in the file and beside the timeline', async () => {
  const id = await make('order-1')
  await leaveUnanswered(id)
  await fail(id)
  const shown = { may_have_paid: true, payment: { cause: 'wrong_pin' } }
  expect((await list()).checkouts).toMatchObject([shown])
  expect((await owner.get(`/checkouts/${id}`)).body.data.checkout).toMatchObject(shown)
  const [, row] = (await owner.get('/checkouts.csv')).text.split('\r\n')
  expect(row).toMatch(/,wrong_pin,false,,mpesa,pi_\w+,\d+,,true,failed$/)
})

test('shows no phone for a payment without one, and a dash in the file', async () => {
  const checkoutId = await make('order-1')
  const { body } = await owner.get(`/checkouts/${checkoutId}`)
  await payFromMenu(body.data.paybill_account_number)
  const [paid] = (await list()).checkouts
  expect(paid).toMatchObject({ status: 'completed', payment: { phone: null, rail: 'paybill' } })
  expect((await owner.get('/checkouts.csv')).text).toContain(',false,–,P')
})

test('shows the link and the payer of a link payment in the wallet', async () => {
  const request = { request_id: '1', handle: `basket-${String(shops)}`, title: 'Mango box' }
  await owner.post('/links', { ...request, amount: '150050' })
  const payees = [request.handle, `shop-${String(shops)}`]
  for (const handle of payees) await payFromMenu(handle, { accountId: owner.accountId, handle })
  const { entries } = (await owner.get('/wallet/entries')).body.data
  expect(entries).toEqual([
    expect.objectContaining({
      handle: payees[1],
      link_title: null,
      checkout_id: null,
      phone: null,
    }),
    expect.objectContaining({ handle: payees[0], link_title: 'Mango box', checkout_id: null }),
  ])
})

test('filters, searches, and pages by 25', async () => {
  const first = await make('alpha')
  await pay(first)
  for (let index = 0; index < 25; index += 1) await make(`beta-${String(index)}`)
  const page = await list()
  expect([page.checkouts.length, page.has_more]).toEqual([25, true])
  const rest = await list(`?before=${page.checkouts.at(-1)?.id ?? ''}`)
  expect(rest.checkouts.map(({ id }) => id)).toEqual([first])
  expect((await list('?status=completed')).checkouts.map(({ id }) => id)).toEqual([first])
  expect((await list('?search=beta-1')).checkouts).toHaveLength(11)
  // A merchant's day is East Africa's: from 21:00 UTC it is the next day.
  const madeAt = new Date(page.checkouts[0]?.created_at ?? '')
  const day = new Date(madeAt.getTime() + 3 * 3_600_000).toISOString().slice(0, 10)
  expect((await list(`?from=2020-01-01&until=${day}`)).checkouts.length).toBeGreaterThan(0)
  expect((await list('?until=2020-01-01')).checkouts).toEqual([])
})

test('filters by an hour of one day, so that a day with more checkouts than a file has can be taken in parts', async () => {
  const id = await make('order-1')
  const madeAt = new Date((await list()).checkouts[0]?.created_at ?? '')
  const [day = '', hour = ''] = new Date(+madeAt + 3 * 3_600_000).toISOString().split(/[T:]/)
  const other = hour === '00' ? '23' : '00'
  const within = `?from=${day}&until=${day}&hour=`
  const shown = async (query: string) => (await list(query)).checkouts.map((one) => one.id)
  expect(await shown(within + hour)).toEqual([id])
  expect(await shown(within + other)).toEqual([])
  expect((await owner.get(`/checkouts.csv${within}${hour}`)).text).toContain(id)
})

test.each([
  '?hour=09',
  '?from=2026-11-01&until=2026-11-02&hour=09',
  '?from=2026-11-01&until=2026-11-01&hour=24',
  '?status=lost',
  '?before=x',
  '?from=yesterday',
  '?limit=1',
  `?search=${'x'.repeat(65)}`,
])('returns 1701 for the query %s', async (query) => {
  expect((await owner.get(`/checkouts${query}`)).body.code).toBe(1701)
})

test('shows the timeline of a checkout', async () => {
  const checkoutId = await make('order-1')
  await pay(checkoutId)
  const { body } = await owner.get(`/checkouts/${checkoutId}`)
  expect(body.data).toMatchObject({
    checkout: { id: checkoutId, status: 'completed' },
    url: `https://pay.example.ke/c/${checkoutId}`,
    paybill_account_number: expect.stringMatching(/^CS\d{8}$/),
    attempts: [{ status: 'completed', rail: 'mpesa', phone: '***149', held_because: null }],
  })
})

test("returns the same error for another account's checkout and an unknown one", async () => {
  const checkoutId = await make('order-1')
  owner = await auth.signedIn(`other-${String(shops)}`)
  const answers = await Promise.all(
    [checkoutId, `cs_ke_${'0'.repeat(24)}`].map((id) => owner.get(`/checkouts/${id}`)),
  )
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(2).fill([404, 2783]))
  expect((await list()).checkouts).toEqual([])
  expect((await list(`?search=${checkoutId}`)).checkouts).toEqual([])
})

test('shows the wallet and its entries', async () => {
  const checkoutId = await make('order-1')
  await pay(checkoutId)
  const { wallet } = (await owner.get('/wallet')).body.data
  const calm = { frozen_at: null, unconfirmed: '0' }
  expect(wallet).toMatchObject({ balance: '150050', currency: 'KES', ...calm })
  const { entries } = (await owner.get('/wallet/entries')).body.data
  expect(entries).toEqual([
    expect.objectContaining({
      amount: '150050',
      provider: 'mpesa',
      checkout_id: checkoutId,
      reference: 'order-1',
      handle: null,
      phone: '***149',
      move: 'received',
    }),
  ])
})

test('shows when the wallet was frozen, and how much of it no statement confirms', async () => {
  const { accountId: id } = owner
  const handle = `shop-${String(shops)}`
  const receipt = await payFromMenu(handle, { accountId: id, handle })
  // Freezes the wallet by two operators, and a payment as the ledger does after a statement without it.
  const freeze = `UPDATE wallets SET frozen_at = now() WHERE account_id = '${id}'`
  const held = [`frozen:mpesa:${receipt}`, `wallet:${id}`, 'suspense:unconfirmed'] as const
  for (const sql of [freeze, transferSql(...held, 150_050)]) await upstreams.rows('ledger', sql)
  const frozen = { balance: '0', unconfirmed: '150050', frozen_at: expect.any(String) }
  expect((await owner.get('/wallet')).body.data.wallet).toMatchObject(frozen)
  const { entries } = (await owner.get('/wallet/entries')).body.data
  expect(entries[0]).toMatchObject({ move: 'frozen', amount: '-150050', handle })
})

test('returns 503 2752 while the ledger is down', async () => {
  await upstreams.lose('ledger')
  for (const path of ['/checkouts', '/checkouts.csv', '/wallet', '/wallet/entries']) {
    const { status, body } = await owner.get(path)
    expect([path, status, body.code]).toEqual([path, 503, 2752])
  }
})
