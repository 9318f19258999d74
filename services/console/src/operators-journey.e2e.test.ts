import { openBrowser } from '@malipo/e2e/browser'
import type { Browser } from 'playwright-core'
import { type RunningConsole, startConsole } from './console.harness'
import { accountId, type Prompted } from './ledgers.harness'
import { openOperatorBrowser, type OperatorBrowser } from './operator-browser.harness'

// Two operators at two browsers, without a shell: they place held money, refund a payment, find a stuck intent. The
// tests are one story: each begins where the one before it ended.

let running: RunningConsole
let browser: Browser
let asha: OperatorBrowser
let brian: OperatorBrowser
let stuck: Prompted

beforeAll(async () => {
  running = await startConsole()
  browser = await openBrowser()
  asha = await openOperatorBrowser(browser, running.url)
  brian = await openOperatorBrowser(browser, running.url)
})
afterAll(async () => {
  await browser.close()
  await running.stop()
})

const needsAnother = 'You asked for it, so another operator has to approve it.'
const receiptPath = (subject: string) => `/receipts/ke/${encodeURIComponent(subject)}`

test('the first two operators make keys in their browsers, and are enrolled and signed in', async () => {
  await asha.open('/')
  await asha.sees('No key in this browser yet')
  expect(await asha.judge('sign-in')).toEqual([])
  expect(await asha.makeKey('Asha')).toBeUndefined()
  await asha.sees('Nothing waits for an operator.')
  expect(await brian.makeKey('brian')).toBeUndefined()
  const { operators } = await running.ke.calls.listOperators({})
  expect(operators.map(({ name, status }) => [name, status])).toEqual([
    ['asha', 'enrolled'],
    ['brian', 'enrolled'],
  ])
  expect((await running.ug.calls.listOperators({})).operators).toHaveLength(2)
})

test('held money is placed with a wallet by two operators, and not by one', async () => {
  const subject = await running.ke.held()
  await asha.open('/')
  expect(await asha.judge('queue')).toEqual([])
  await asha.page.getByRole('link', { name: 'Held money' }).first().click()
  await asha.sees('suspense:unmatched')
  expect(await asha.judge('receipt-held')).toEqual([])
  const fields = { 'Checkout or account': accountId, Reason: 'the payer called' }
  expect(await asha.act(/Place it/, fields, 'Ask to place it')).toContain(
    'Another operator has to approve it.',
  )
  // Asha cannot approve her own request: her page has no button for it, and the ledger refuses it without the button.
  const own = asha.page.getByRole('form', { name: /Placement to/ })
  expect(await own.getByRole('button').allInnerTexts()).toEqual(['Withdraw'])
  await asha.page.evaluate(
    `document.querySelector('[data-act=DecidePlacement] button').value = '1'`,
  )
  expect(await asha.act(/Placement to/, { Reason: 'mine' }, 'Withdraw')).toBe(needsAnother)

  await brian.open('/')
  await brian.page.getByRole('link', { name: 'Placement to approve' }).click()
  expect(await brian.judge('receipt-asked')).toEqual([])
  expect(await brian.act(/Placement to/, { Reason: 'checked' }, 'Approve')).toBe(
    'Placed: the money is with its owner.',
  )
  await brian.sees(`wallet:${accountId}`)
  expect((await running.ke.calls.readReceipt({ subject })).holder).toBe(`wallet:${accountId}`)
})

test('a payment is found by its reference, and refunded by two operators', async () => {
  const { checkoutId, subject } = await running.ke.paid('order-77')
  await brian.open('/payments')
  await brian.page.getByLabel(/Checkout, intent/).fill('order-77')
  await brian.page.getByRole('button', { name: 'Search' }).click()
  expect(await brian.judge('payments')).toEqual([])
  await brian.page.getByRole('link', { name: checkoutId }).click()
  await brian.sees('Journal: receipt')
  expect(await brian.judge('payment')).toEqual([])
  await brian.page.getByRole('link', { name: subject }).click()
  const fields = { 'Malipo, by a call to the provider': '', Reason: 'the goods never came' }
  await brian.act(/Refund all of it/, fields, 'Ask to refund it')
  await asha.open(receiptPath(subject))
  expect(await asha.act(/Refund of/, { Reason: 'seen' }, 'Approve')).toBe(
    'Approved: the refund will be sent.',
  )
  const { refunds } = await running.ke.calls.readReceipt({ subject })
  expect(refunds).toMatchObject([{ status: 'approved', askedBy: 'brian', decidedBy: 'asha' }])
})

test('a refund that is asked for is refused by another, with a reason that stays', async () => {
  const { subject } = await running.ke.paid('order-78')
  await brian.open(receiptPath(subject))
  const fields = { 'The provider already did, as seen in its portal': '', Reason: 'portal' }
  await brian.act(/Refund all of it/, fields, 'Ask to refund it')
  await asha.open(receiptPath(subject))
  await asha.sees('refund it, which the provider already sent')
  expect(await asha.act(/already sent, asked by/, { Reason: 'not there' }, 'Refuse')).toBe(
    'Refused, and withdrawn.',
  )
  await asha.open('/log')
  await asha.sees('not there')
  expect(await asha.judge('log')).toEqual([])
})

test('a stuck intent is found in the queue, with all that is known of it', async () => {
  stuck = await running.ke.prompted(await running.ke.checkout('order-79'))
  // The report holds the attempt open; without one the ledger would end it within a second.
  await running.ke.reportPaid(stuck.token, stuck.providerRequestId)
  await running.ke.letPass(360)
  await brian.open('/?by=age')
  await brian.page.getByRole('link', { name: 'Stuck intent' }).first().click()
  await brian.sees(stuck.intentId)
  await brian.sees('Call to the provider: accepted')
  await brian.sees(/Provider message: kept/)
})

test('a provider message that could not be read waits in the queue', async () => {
  const messageId = await running.ke.parked(await running.ke.checkout('order-80'))
  await asha.open('/')
  await asha.page.getByRole('link', { name: 'Parked provider message' }).first().click()
  await asha.sees(messageId)
})

test('a payment that only the provider’s portal shows is posted by two operators, from its report', async () => {
  const { intentId } = stuck
  await running.ke.letPass(300)
  const { reports } = await running.ke.calls.listReports({ limit: 10 })
  const { subject = '' } = reports.find((report) => report.intentId === intentId) ?? {}
  await asha.open(`/reports/ke/${encodeURIComponent(subject)}`)
  expect(await asha.judge('report')).toEqual([])
  const fields = {
    'Receipt in the portal': subject.replace('mpesa:', ''),
    'Amount in the portal': '1,500',
    Reason: 'in the portal',
  }
  expect(await asha.act(/The provider has the money/, fields, 'Ask to post it')).toContain(
    'Another operator has to approve it.',
  )
  await brian.open(`/reports/ke/${intentId}`)
  expect(await brian.judge('report-posting')).toEqual([])
  expect(await brian.act(/asked by asha/, { Reason: 'there too' }, 'Approve')).toBe(
    'Posted: the payment has its money.',
  )
  const { intent } = await running.ke.calls.readIntent({ intentId })
  expect(intent?.status).toBe('INTENT_STATUS_COMPLETED')
})

test('a wallet is frozen by two operators', async () => {
  await asha.open('/wallets')
  const fields = { Account: accountId, 'Freeze it': '', Reason: 'under inquiry' }
  await asha.act(/^Kenya$/, fields, 'Ask for it')
  expect(await asha.judge('wallets')).toEqual([])
  await brian.open('/wallets')
  expect(await brian.act(/freeze acct_mboga/, { Reason: 'agreed' }, 'Approve')).toBe(
    'The wallet is frozen.',
  )
})

test('a third operator is enrolled by two others, and a person is one operator in any browser', async () => {
  const carol = await openOperatorBrowser(browser, running.url)
  const line = (await carol.makeKey('carol')) ?? ''
  expect(await carol.judge('not-enrolled')).toEqual([])
  await asha.open('/operators')
  await asha.act(/Enrol an operator/, { 'Line of the new operator': line }, 'Ask to enrol')
  expect(await asha.judge('operators')).toEqual([])
  for (const country of [/Kenya: enrol carol/, /Uganda: enrol carol/]) {
    await brian.open('/operators')
    expect(await brian.act(country, {}, 'Approve')).toBe('Enrolled.')
  }
  await carol.signIn()

  // A new key cannot take the name of brian, in capitals either, and opens nothing until it is enrolled.
  const second = await openOperatorBrowser(browser, running.url)
  await second.page.goto(`${running.url}/sign-in`)
  await second.page.getByLabel('Your name as an operator').fill('BRIAN')
  await second.page.getByRole('button', { name: 'Make a key' }).click()
  await second.sees('Another operator is called brian')
  await second.open('/')
  await second.page.getByRole('button', { name: 'Sign in' }).click()
  await second.sees('Your key is not enrolled yet')
})

test('an operator of one country is retired there, though the other country does not know the key', async () => {
  const dora = await openOperatorBrowser(browser, running.url)
  const line = (await dora.makeKey('dora')) ?? ''
  await asha.open('/operators')
  await asha.act(/Enrol an operator/, { 'Line of the new operator': line }, 'Ask to enrol')
  await brian.open('/operators')
  await brian.act(/Kenya: enrol dora/, {}, 'Refuse')
  await brian.open('/operators')
  await brian.act(/Uganda: enrol dora/, {}, 'Approve')

  await asha.open('/operators')
  const key = await asha.page.getByRole('option', { name: /^dora/ }).getAttribute('value')
  await asha.page.getByLabel('Operator', { exact: true }).selectOption(key)
  expect(await asha.act(/Retire an operator/, {}, 'Ask to retire')).toBe(
    'Kenya: Operator not found. Uganda: Asked for. Another operator has to approve it.',
  )
  await brian.open('/operators')
  expect(await brian.act(/Uganda: retire dora/, {}, 'Approve')).toBe('Retired.')
})

test('providers and reconciliation are shown for both countries', async () => {
  await asha.open('/providers')
  await asha.sees('Airtel Money')
  expect(await asha.judge('providers')).toEqual([])
  await running.ke.calls.reconcileDay({ day: today() })
  await asha.open('/reconciliation')
  expect(await asha.judge('reconciliation')).toEqual([])
  await asha.page
    .getByRole('link', { name: /M-PESA/ })
    .first()
    .click()
  // No statement was read since the payments, so the provider's word on them is not known.
  await asha.page.getByText('unknown', { exact: true }).first().waitFor()
  expect(await asha.page.getByText('differs', { exact: true }).count()).toBe(0)
  expect(await asha.judge('reconciliation-day')).toEqual([])
})

function today(): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Nairobi' }).format()
}
