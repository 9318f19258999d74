import { type Page, screensOfFile } from '../hub-server/screens.harness'
import { upstreamsOfFile } from '../upstreams.harness'

const upstreams = upstreamsOfFile()
const open = screensOfFile(upstreams)
const hourMs = 3_600_000

/** Opens the screen of an owner whose test event waits for its first attempt, because no worker runs. */
async function openWaiting(): Promise<Page> {
  const page = await open('/integrations/webhooks', async ({ clock }) => clock.install())
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
