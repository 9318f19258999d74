import {
  CheckoutStatus,
  IntentStatus,
  type ListCheckoutsRequest,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import { evidence } from '../evidence/evidence.harness'
import { ledgerOfFile } from '../ledger.harness'
import { payBill, payBillNumberKey } from '../pay-bill/pay-bill.harness'
import { declined, fingerprint, present, uniqueReceipt } from '../payments.harness'
import { letPass, past } from '../time.harness'

const at = ledgerOfFile()
const { pay } = at
let accountId: string

beforeEach(async () => {
  accountId = await pay.merchant()
})

type Filter = Partial<ListCheckoutsRequest>

async function list(filter: Filter = {}, ledger = at.ledger) {
  const request = { accountId, limit: 50, status: CheckoutStatus.UNSPECIFIED, search: '' }
  const flags = { paidAfterExpiry: false, moneyHeld: false }
  const answer = await ledger.listCheckouts({ ...flags, ...request, ...filter })
  const ids = answer.checkouts.map(({ checkout }) => checkout?.checkoutId)
  return { ids, ...answer }
}

async function make(reference?: string): Promise<string> {
  return (await pay.checkout({ accountId, reference, returnUrl: 'https://shop.example/' }))
    .checkoutId
}

async function makePaid(receipt = uniqueReceipt()): Promise<string> {
  const checkoutId = await make()
  await pay.paid(await pay.pending(checkoutId), { receipt })
  return checkoutId
}

test('shows the checkouts of one account, newest first, without their return addresses', async () => {
  await pay.checkout()
  const made = [await make(), await make(), await make()]
  const { ids, checkouts } = await list()
  expect(ids).toEqual(made.reverse())
  expect(checkouts.map(({ checkout }) => checkout?.returnUrl)).toEqual(Array(3).fill(undefined))
})

test('pages through all checkouts, each once, also those created in the same microsecond', async () => {
  const made = await Promise.all(Array.from({ length: 7 }, () => make()))
  await at.database.pool.query(
    `ALTER TABLE checkouts DISABLE TRIGGER USER; UPDATE checkouts SET created_at = '2026-11-20T12:00:00.123456Z'
     WHERE account_id = '${accountId}'; ALTER TABLE checkouts ENABLE TRIGGER USER`,
  )
  const seen: (string | undefined)[] = []
  let more = true
  while (more) {
    const page = await list({ limit: 3, beforeCheckoutId: seen.at(-1) })
    seen.push(...page.ids)
    more = page.hasMore
  }
  expect(seen).toEqual(made.sort().reverse())
})

test('filters checkouts by status', async () => {
  const late = await make()
  const attempt = await pay.pending(late)
  const expired = await make()
  await letPass(at.database, 1_801)
  await pay.paid(attempt)
  const open = await make()
  const paid = await makePaid()
  expect((await list({ status: CheckoutStatus.OPEN })).ids).toEqual([open])
  expect((await list({ status: CheckoutStatus.COMPLETED })).ids).toEqual([paid, late])
  expect((await list({ status: CheckoutStatus.EXPIRED })).ids).toEqual([expired])
  const paidAfterExpiry = await list({ paidAfterExpiry: true })
  expect(paidAfterExpiry.ids).toEqual([late])
  expect(paidAfterExpiry.checkouts[0]?.completedAt).toEqual(expect.any(Date))
})

test('lists an expired checkout as open for as long as a reported Pay Bill payment keeps it open', async () => {
  const { ledger } = await at.another({ payBillNumberKey, payBillHoldSeconds: 3_600 })
  const { checkout } = await ledger.createCheckout({ accountId, fingerprint, amountMinor: 50_000n })
  const { checkoutId } = present(checkout)
  const menu = payBill(ledger)
  const accountNumber = await menu.number(checkoutId)
  await menu.paid({ accountNumber, amountMinor: 50_000n, unsigned: true })
  const seen = async () => {
    const read = await ledger.retrieveCheckout({ accountId, checkoutId })
    const shown = await list({ status: present(read.checkout).status }, ledger)
    return [read.checkout?.status, shown.ids]
  }
  await letPass(at.database, 2_000)
  expect(await seen()).toEqual([CheckoutStatus.OPEN, [checkoutId]])
  await letPass(at.database, 2_000)
  expect(await seen()).toEqual([CheckoutStatus.EXPIRED, [checkoutId]])
})

test('marks checkouts with held money, filters by it, and shows none of another account', async () => {
  const twice = await make()
  const first = await pay.pending(twice)
  await pay.declined(first)
  await pay.paid(await pay.pending(twice))
  const once = await makePaid()
  const flags = async () => (await list()).checkouts.map(({ moneyHeld }) => moneyHeld)
  expect([(await list()).ids, await flags()]).toEqual([
    [once, twice],
    [false, false],
  ])
  await pay.paid(first)
  expect(await flags()).toEqual([false, true])
  expect((await list({ moneyHeld: true })).ids).toEqual([twice])
  const accountId = await pay.merchant()
  expect((await list({ accountId, moneyHeld: true })).ids).toEqual([])
})

/** `mayHavePaid` of the only checkout of the account, in the list and in the timeline. */
async function mayHavePaid(): Promise<readonly (boolean | undefined)[]> {
  const [listed] = (await list()).checkouts
  const checkoutId = present(listed?.checkout).checkoutId
  const { checkout } = await at.ledger.readTimeline({ accountId, checkoutId })
  return [listed?.mayHavePaid, checkout?.mayHavePaid]
}

test('says that a checkout may have been paid while an earlier attempt has no answer, until it is completed', async () => {
  const checkoutId = await make()
  const unanswered = await pay.pending(checkoutId)
  expect(await mayHavePaid()).toEqual([false, false])
  await letPass(at.database, 151)
  await eventually(
    'the first attempt expires',
    async () => (await pay.status(unanswered.intentId)) === IntentStatus.EXPIRED,
  )
  await pay.declined(await pay.pending(checkoutId))
  expect(await mayHavePaid()).toEqual([true, true])
  await pay.paid(await pay.pending(checkoutId))
  expect(await mayHavePaid()).toEqual([false, false])
})

test('says for 72 hours that a checkout may have been paid whose attempt only status answers deny', async () => {
  const attempt = await pay.pending(await make())
  for (const seconds of [75, 15]) {
    await letPass(at.database, seconds)
    await evidence(at).fetched(attempt, declined(attempt.providerRequestId))
  }
  expect(await pay.status(attempt.intentId)).toBe(IntentStatus.FAILED)
  expect(await mayHavePaid()).toEqual([true, true])
  await letPass(at.database, 72 * 3_600)
  expect(await mayHavePaid()).toEqual([false, false])
})

test('says that a checkout may not have been paid once the callback of its attempt denies it', async () => {
  await pay.declined(await pay.pending(await make()))
  expect(await mayHavePaid()).toEqual([false, false])
})

test('finds by id, by attempt, by receipt in any case, and by the beginning of a reference', async () => {
  const receipt = uniqueReceipt()
  const paid = await makePaid(receipt)
  const order = await make('order-100%')
  await make('order-1000')
  const { checkouts } = await list({ search: paid })
  const intentId = present(checkouts[0]?.checkout?.payment).intentId
  for (const search of [paid, intentId, receipt, receipt.toLowerCase()]) {
    expect((await list({ search })).ids).toEqual([paid])
  }
  expect((await list({ search: 'order-100%' })).ids).toEqual([order])
  expect((await list({ search: 'order-1' })).ids).toHaveLength(2)
  expect((await list({ search: 'rder' })).ids).toEqual([])
})

test('of more references that begin alike than a search finds, it finds the newest', async () => {
  const newest = await make('order-1')
  await past(at.database, async (query) => {
    // Written from the newest on, and with ids in no order, so that neither of them is the order of time.
    await query(
      `INSERT INTO checkouts SELECT (jsonb_populate_record(NULL::checkouts, to_jsonb(c) || jsonb_build_object(
        'id', 'cs_ke_' || substr(encode(sha256(n::text::bytea), 'hex'), 1, 24), 'reference', 'order-' || n,
        'created_at', c.created_at - make_interval(secs => n)))).*
      FROM checkouts c, generate_series(2, 700) n WHERE c.id = $1`,
      [newest],
    )
  })
  const { rows } = await at.database.pool.query<{ id: string }>(
    'SELECT id FROM checkouts WHERE account_id = $1 ORDER BY created_at DESC LIMIT 500',
    [accountId],
  )
  const seen: (string | undefined)[] = []
  let more = true
  while (more) {
    const page = await list({ search: 'order-', beforeCheckoutId: seen.at(-1) })
    seen.push(...page.ids)
    more = page.hasMore
  }
  expect(seen).toEqual(rows.map(({ id }) => id))
})

test('finds no checkout of another account by any search', async () => {
  const receipt = uniqueReceipt()
  const mine = await makePaid(receipt)
  const other = await pay.merchant()
  for (const search of ['', mine, receipt]) {
    expect((await list({ accountId: other, search })).ids).toEqual([])
  }
  expect((await list({ accountId: other, beforeCheckoutId: mine })).ids).toEqual([])
})

test('filters checkouts by creation time', async () => {
  const older = await make()
  await letPass(at.database, 3_600)
  const newer = await make()
  const hourAgo = new Date(Date.parse(new Date(performance.timeOrigin).toISOString()) - 1_800_000)
  expect((await list({ createdFrom: hourAgo })).ids).toEqual([newer])
  expect((await list({ createdUntil: hourAgo })).ids).toEqual([older])
})

test.each([{ limit: 0 }, { limit: 51 }, { search: 'x'.repeat(65) }])(
  'refuses to list checkouts with %p',
  async (filter) => {
    await expect(list(filter)).rejects.toMatchObject({ reason: 'invalid_request' })
  },
)
