import { openBrowser } from '@malipo/e2e/browser'
import { freePort } from '@malipo/stack/free-port'
import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { password } from '../hub-server/browser.harness'
import { type RunningAuth, startAuth } from '../start.harness'
import { upstreamsOfFile } from '../upstreams.harness'

type Browser = Awaited<ReturnType<typeof openBrowser>>
type Page = Awaited<ReturnType<Browser['newPage']>>

const upstreams = upstreamsOfFile()
const hourMs = 3_600_000
let database: TestDatabase
let auth: RunningAuth
let browser: Browser
let authUrl: string
let shops = 0

beforeAll(async () => {
  database = await cloneDatabase('auth')
  const port = await freePort()
  authUrl = `http://127.0.0.1:${String(port)}`
  auth = await startAuth(database, { ...upstreams.config, port, authUrl })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await auth.stop()
  await database.drop()
})

/** Opens the screen of an owner whose test event waits for its first attempt, because no worker runs. */
async function openWaiting(): Promise<Page> {
  const username = `screen-${String((shops += 1))}`
  await auth.createAccount(username)
  const page = await browser.newPage()
  page.setDefaultTimeout(45_000)
  await page.clock.install()
  await page.goto(`${authUrl}/hub/integrations/webhooks`)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'New address' }).click()
  await page.getByLabel('Address', { exact: true }).fill('https://shop.example/hook')
  await page.getByLabel('PIN', { exact: true }).fill('9274')
  await page.getByRole('button', { name: 'Add an address' }).click()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await page.getByText('On its way').waitFor()
  return page
}

const read = '**/v1/hub/webhooks'

test('the screen shows the result of a delivery even if each answer takes longer than the interval between two reads', async () => {
  const page = await openWaiting()
  await page.route(read, async (route) => {
    await page.clock.runFor(2_000)
    await route.continue()
  })
  const [delivery] = await upstreams.rows<{ id: string }>(
    'ledger',
    'SELECT id FROM webhook_deliveries',
  )
  const deliveryId = String(delivery?.id)
  await upstreams.ledger.beginDelivery({ deliveryId })
  const outcome = { $case: 'answerStatus', value: 204 } as const
  await upstreams.ledger.recordDelivery({ deliveryId, outcome, durationMs: 40 })
  await page.getByText('204', { exact: true }).waitFor()
  await page.close()
})

test('the screen stops reading after an hour without a key press or a tap, and reads again at the next one', async () => {
  const page = await openWaiting()
  let reads = 0
  await page.route(read, async (route) => {
    reads += 1
    await route.continue()
  })
  await page.clock.fastForward(hourMs)
  const before = reads
  await page.clock.runFor(60_000)
  // After this answer the requests that the page sent before have reached the server: a browser sends requests in
  // order.
  await page.evaluate("fetch('/hub').then(({ status }) => status)")
  expect(reads).toBe(before)
  const next = page.waitForResponse(read)
  await page.keyboard.press('Shift')
  await next
  await page.close()
})
