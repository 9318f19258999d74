import { exportedCheckoutsMax, foundCheckoutsMax } from '@malipo/interface/hub'
import { holdClock } from '../hub-server/browser.harness'
import { ledgerPayments } from '../ledger-payments.harness'
import { authOfFile, type SignedInBrowser } from '../start.harness'
import { upstreamsOfFile } from '../upstreams.harness'

const upstreams = upstreamsOfFile()
const { auth } = authOfFile(upstreams)
let owner: SignedInBrowser
let shops = 0
let make: ReturnType<typeof ledgerPayments>['make']
let pay: ReturnType<typeof ledgerPayments>['pay']
let fail: ReturnType<typeof ledgerPayments>['fail']

beforeEach(async () => {
  owner = await auth.signedIn(`files-${String((shops += 1))}`)
  ;({ make, pay, fail } = ledgerPayments(upstreams, owner))
  await upstreams.ledger.openWallet({ accountId: owner.accountId })
})

test('includes in the file why the last intent of an open checkout failed, and the phone', async () => {
  await fail(await make('order-1'))
  const [, row] = (await owner.get('/checkouts.csv')).text.split('\r\n')
  expect(row).toMatch(/,false,\*\*\*177,,wrong_pin,false,,mpesa,pi_\w+,\d+,,false,failed$/)
})

/** Stores so many checkouts of the owner, as the ledger does. */
async function store(count: number): Promise<void> {
  await upstreams.rows(
    'ledger',
    `INSERT INTO checkouts (id, account_id, amount_minor, reference, created_at, expires_at)
     SELECT 'cs_ke_' || lpad(to_hex(${String(shops)}), 4, '0') || lpad(to_hex(n), 20, '0'), '${owner.accountId}', 100,
       'bulk-' || n, now() - interval '1 day', now()
     FROM generate_series(1, ${String(count)}) n`,
  )
}

const lines = async (query: string) =>
  (await owner.get(`/checkouts.csv${query}`)).text.trim().split('\r\n')

test('says in the last line of a full file that more checkouts match', async () => {
  const id = await make('order-1')
  await store(exportedCheckoutsMax)
  const full = await lines('')
  expect(full).toHaveLength(exportedCheckoutsMax + 2)
  expect(full.at(-1)).toMatch(/^"?More checkouts match than the 5,000 of a file: /)
  expect((await lines('?search=order-1')).at(-1)).toMatch(id)
})

test('says in the last line that a search finds no more, where it found as many as it can', async () => {
  await store(foundCheckoutsMax + 1)
  const found = await lines('?search=bulk-')
  expect(found).toHaveLength(foundCheckoutsMax + 2)
  expect(found.at(-1)).toMatch(/^"?A search finds 500 checkouts at most, so there may be more: /)
  expect(await lines('?search=bulk-50')).toHaveLength(1 + ['50', '500', '501'].length)
})

test('says so also where another filter leaves few of what the search found', async () => {
  await store(foundCheckoutsMax + 1)
  const note = /^"?A search finds 500 checkouts at most, so there may be more: /
  const found = await lines('?search=bulk-&status=completed')
  expect(found).toHaveLength(2)
  expect(found.at(-1)).toMatch(note)
  expect(await lines('?search=bulk-50&status=completed')).toHaveLength(1)
})

test('writes the same rows to the file, and escapes formulas', async () => {
  const paid = await make('=HYPERLINK("x")', 'Kahawa, "moto"')
  await pay(paid)
  const { headers, text } = await owner.get('/checkouts.csv?status=completed')
  expect(headers.get('content-type')).toMatch(/^text\/csv/)
  expect(headers.get('content-disposition')).toBe('attachment; filename="checkouts.csv"')
  const [head, row] = text.split('\r\n')
  expect(head).toBe(
    'id,status,amount,currency,reference,description,created_at,expires_at,completed_at,paid_after_expiry,paid_by,receipt,cause,money_held,received,rail,intent_id,amount_minor,received_minor,may_have_paid,payment_status',
  )
  expect(row).toContain(`${paid},completed,1500.50,KES,"'=HYPERLINK(""x"")","Kahawa, ""moto"""`)
  expect(row).toMatch(
    /,false,\*\*\*149,R\w+,,false,1500\.50,mpesa,pi_\w+,150050,150050,false,completed$/,
  )
})

test('keeps a text of several lines in one cell of the file, and escapes a formula behind a tab', async () => {
  const id = await make('\t=1+1', 'Kahawa\n=1+1\r,"moto"')
  const { text } = await owner.get('/checkouts.csv')
  const [, ...rows] = text.trim().split('\r\n')
  expect(rows).toHaveLength(1)
  expect(rows[0]).toContain(`${id},open,1500.50,KES,'\t=1+1,"Kahawa\n=1+1\r,""moto"""`)
})

test('writes all pages to the file', async () => {
  for (let index = 0; index < 51; index += 1) await make(`order-${String(index)}`)
  const { text } = await owner.get('/checkouts.csv')
  expect(text.trim().split('\r\n')).toHaveLength(52)
})

test('limits an account to five files a minute, over all of its browsers', async () => {
  const letGo = holdClock()
  const other = auth.browser()
  await other.signIn(`files-${String(shops)}`)
  // A request refused for its filter does not count.
  await owner.get('/checkouts.csv?status=lost')
  for (const browser of [owner, other, owner, other, owner]) {
    expect((await browser.get('/checkouts.csv')).status).toBe(200)
  }
  const { status, body, headers } = await other.get('/checkouts.csv')
  expect([status, body.code]).toEqual([429, 1804])
  expect(headers.get('retry-after')).toBe('60')
  letGo()
})
