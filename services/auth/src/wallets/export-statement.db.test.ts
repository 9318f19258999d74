import { randomBytes } from 'node:crypto'
import { type PayBillPaid, Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { transferSql } from '@malipo/testing/transfer-sql'
import { upstreamsOfFile } from '../upstreams.harness'
import { authOfFile, type SignedInBrowser } from '../start.harness'

const upstreams = upstreamsOfFile()
const { auth } = authOfFile(upstreams)
let owner: SignedInBrowser
let shops = 0

beforeEach(async () => {
  owner = await auth.signedIn(`statement-${String((shops += 1))}`)
  await upstreams.ledger.openWallet({ accountId: owner.accountId })
})

/** Pays from the Pay Bill menu. Returns the receipt. */
async function receive(paid: Pick<PayBillPaid, 'amountMinor' | 'accountNumber' | 'payee'>) {
  const receipt = `P${randomBytes(5).toString('hex').toUpperCase()}`
  const { messageId } = await upstreams.ledger.storeProviderMessage({
    rail: Rail.PAYBILL,
    kind: 'PROVIDER_MESSAGE_KIND_STATEMENT_ROW',
    subject: undefined,
    body: Buffer.from(receipt),
    sourceAddress: '196.201.214.200',
    sourceKnown: true,
  })
  const value = { receipt, payeeUnknown: false, ...paid }
  await upstreams.ledger.applyEvidence({ messageId, fact: { $case: 'payBillPaid', value } })
  return receipt
}

/** Pays the owner at an instant. Returns the receipt. */
async function earn(amountMinor: bigint, at?: string): Promise<string> {
  const handle = `statement-${String(shops)}`
  const payee = { accountId: owner.accountId, handle }
  const receipt = await receive({ amountMinor, accountNumber: handle, payee })
  if (at !== undefined) await moveInTime(receipt, at)
  return receipt
}

/** The journal is append-only: only the table's owner can change a row's time, with triggers disabled. */
async function moveInTime(receipt: string, at: string): Promise<void> {
  await upstreams.rows('ledger', `ALTER TABLE transfers DISABLE TRIGGER USER`)
  await upstreams.rows(
    'ledger',
    `UPDATE transfers SET created_at = '${at}' WHERE event_key LIKE 'receipt:%:${receipt}'`,
  )
  await upstreams.rows('ledger', `ALTER TABLE transfers ENABLE TRIGGER USER`)
}

async function statement(query: string): Promise<string[][]> {
  const { status, text } = await owner.get(`/wallet/statement.csv${query}`)
  expect(status).toBe(200)
  return text
    .replace('\ufeff', '')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
}

const november = '?from=2026-11-01&until=2026-11-30'

test('the file begins with the opening balance, and ends with the closing balance', async () => {
  await earn(70_000n, '2026-10-31T20:59:59.999Z')
  const first = await earn(150_050n, '2026-10-31T21:00:00Z')
  const last = await earn(20_000n, '2026-11-30T20:59:59Z')
  await earn(5_000n, '2026-11-30T21:00:00Z')
  const [head, ...rows] = await statement(november)
  expect(head?.join()).toBe(
    'at,type,paid_in,paid_out,balance,currency,provider,receipt,checkout_id,reference,handle,phone,paid_in_minor,paid_out_minor,balance_minor',
  )
  const shown = rows.map(([at, type, paidIn, paidOut, balance, currency, , receipt]) =>
    [at, type, paidIn, paidOut, balance, currency, receipt].join(' '),
  )
  expect(shown).toEqual([
    '2026-10-31T21:00:00.000Z opening_balance   700 KES ',
    `2026-10-31T21:00:00.000Z received 1500.50  2200.50 KES ${first}`,
    `2026-11-30T20:59:59.000Z received 200  2400.50 KES ${last}`,
    '2026-11-30T21:00:00.000Z closing_balance   2400.50 KES ',
  ])
})

test('has an hour of one day, with the balances at its beginning and its end', async () => {
  await earn(70_000n, '2026-11-02T05:59:59Z')
  const within = await earn(150_050n, '2026-11-02T06:00:00Z')
  await earn(20_000n, '2026-11-02T07:00:00Z')
  const [, ...rows] = await statement('?from=2026-11-02&until=2026-11-02&hour=09')
  expect(rows.map(([at, type, , , balance, , , receipt]) => [at, type, balance, receipt])).toEqual([
    ['2026-11-02T06:00:00.000Z', 'opening_balance', '700', ''],
    ['2026-11-02T06:00:00.000Z', 'received', '2200.50', within],
    ['2026-11-02T07:00:00.000Z', 'closing_balance', '2200.50', ''],
  ])
})

test('equals the journal to the cent, including money that went out, over several pages', async () => {
  const { accountId: id } = owner
  const receipts: string[] = []
  for (let nth = 1; nth <= 52; nth += 1) receipts.push(await earn(BigInt(nth * 101)))
  const [gone] = receipts
  const frozen = transferSql(
    `frozen:mpesa:${gone ?? ''}`,
    `wallet:${id}`,
    'suspense:unconfirmed',
    101,
  )
  await upstreams.rows('ledger', frozen)
  const rows = (await statement('?from=2026-01-01&until=2099-12-31')).slice(1)
  const sum = `SELECT sum(CASE WHEN credit = 'wallet:${id}' THEN minor ELSE -minor END)::text AS minor
    FROM transfers WHERE 'wallet:${id}' IN (credit, debit)`
  expect(rows).toHaveLength(55)
  expect(rows.at(-1)?.[14]).toBe((await upstreams.rows<{ minor: string }>('ledger', sum))[0]?.minor)
  const out = rows.filter(([, type]) => type === 'frozen')
  expect(out.map((row) => [row[3], row[13]])).toEqual([['1.01', '101']])
  const moved = (column: number) =>
    rows.reduce((total, row) => total + BigInt(row[column] ?? 0), 0n)
  expect(String(moved(12) - moved(13))).toBe(rows.at(-1)?.[14])
})

test('the file shows the money of a frozen checkout as held, as the list does', async () => {
  const { accountId } = owner
  const order = { accountId, fingerprint: Buffer.alloc(32, 7), amountMinor: 40_000n }
  const { checkout } = await upstreams.ledger.createCheckout(order)
  const path = `/checkouts/${checkout?.checkoutId ?? ''}`
  const { paybill_account_number: accountNumber } = (await owner.get(path)).body.data
  const receipt = await receive({ amountMinor: 40_000n, accountNumber })
  const held = async () => {
    const { text } = await owner.get('/checkouts.csv')
    const { checkouts } = (await owner.get('/checkouts?status=money_held')).body.data
    const [{ held_because: why, frozen_at: frozenAt }] = (await owner.get(path)).body.data.attempts
    return [text.split(`,${receipt},,`)[1]?.split(',')[0], checkouts.length, why, frozenAt]
  }
  expect(await held()).toEqual(['false', 0, null, null])
  // Freezes the payment as the ledger does after a statement that does not list it.
  const frozen = transferSql(
    `frozen:mpesa:${receipt}`,
    `wallet:${accountId}`,
    'suspense:unconfirmed',
    40_000,
  )
  await upstreams.rows('ledger', frozen)
  expect(await held()).toEqual(['true', 1, 'unconfirmed', expect.any(String)])
})

test('the file contains no entry of another account', async () => {
  await earn(70_000n)
  owner = await auth.signedIn('without-money')
  await upstreams.ledger.openWallet({ accountId: owner.accountId })
  const rows = await statement(november)
  expect(rows.slice(1).map(([, type, , , balance]) => [type, balance])).toEqual([
    ['opening_balance', '0'],
    ['closing_balance', '0'],
  ])
})

test.each([
  ['', 'from'],
  ['?from=2026-11-02&until=2026-11-01', 'until'],
  [`${november}&hour=09`, 'hour'],
  ['?from=2026-13-01&until=2026-11-01', 'from'],
  [`${november}&account=other`, 'account'],
])('returns 400 1701 for %j and names %s', async (query, field) => {
  const { status, body } = await owner.get(`/wallet/statement.csv${query}`)
  expect([status, body.code]).toEqual([400, 1701])
  expect(JSON.stringify(body)).toContain(field)
})

test('returns 503 2752 while the ledger is down', async () => {
  await upstreams.lose('ledger')
  const { status, body } = await owner.get(`/wallet/statement.csv${november}`)
  expect([status, body.code]).toEqual([503, 2752])
})
