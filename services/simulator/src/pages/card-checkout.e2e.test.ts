import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openBrowser } from '@malipo/e2e/browser'
import { cardClient } from '../providers/card/card.harness'
import { startSimulator, type RunningSimulator } from '../start.harness'

let browser: Awaited<ReturnType<typeof openBrowser>>
let sim: RunningSimulator
let shop: Server
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())
beforeEach(async () => {
  sim = await startSimulator()
})
afterEach(async () => {
  shop.closeAllConnections()
  shop.close()
  await sim.stop()
})

/** Opens a shop's page with the card gateway's script, as its integration guide shows, and presses "Pay by card". */
async function openShop(press: string) {
  const gateway = cardClient(sim)
  const { id, successIndicator } = await gateway.open({
    interaction: { returnUrl: undefined, cancelUrl: undefined },
  })
  const text = `<!doctype html><title>Shop</title>
    <script src="${sim.url}/static/checkout/checkout.min.js" data-complete="paid" data-cancel="left"></script>
    <button onclick="${press}">Pay by card</button><div id="place"></div><p id="end"></p>
    <script>
      const show = (text) => { document.querySelector('#end').textContent = text }
      function paid(indicator) { show('paid ' + indicator) }
      function left() { show('cancelled') }
      Checkout.configure({ session: { id: '${id}' } })
    </script>`
  shop = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(text)
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${String((shop.address() as AddressInfo).port)}/basket`)
  await page.getByRole('button', { name: 'Pay by card' }).click()
  return { page, successIndicator }
}

type Fields = Pick<Awaited<ReturnType<typeof openShop>>['page'], 'getByLabel' | 'getByRole'>

async function payByCard(place: Fields) {
  await place.getByLabel('Card number').fill('5111111111111118')
  await place.getByLabel('Month').fill('01')
  await place.getByLabel('Year').fill('39')
  await place.getByLabel('Security code').fill('100')
  await place.getByLabel('Name on the card').fill('Amina Kamau')
  await place.getByRole('button', { name: 'Pay KES' }).click()
}

test('showPaymentPage leads to the card page, and back to the function of data-complete', async () => {
  const { page, successIndicator } = await openShop('Checkout.showPaymentPage()')
  await payByCard(page)
  await page.getByText(`paid ${successIndicator}`).waitFor()
  expect(page.url()).toContain('/basket')
})

test('showEmbeddedPage shows the card page inside the shop, and calls the function of data-complete', async () => {
  const { page, successIndicator } = await openShop("Checkout.showEmbeddedPage('#place')")
  await payByCard(page.frameLocator('#place iframe'))
  await page.getByText(`paid ${successIndicator}`).waitFor()
})

test('a payer who cancels returns to the function of data-cancel', async () => {
  const { page } = await openShop('Checkout.showPaymentPage()')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByText('cancelled').waitFor()
})
