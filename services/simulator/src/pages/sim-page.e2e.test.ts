import { openBrowser } from '@malipo/e2e/browser'
import { amina, openReceiver, startSimulator, type RunningSimulator } from '../start.harness'

type Browser = Awaited<ReturnType<typeof openBrowser>>
type Page = Awaited<ReturnType<Browser['newPage']>>

let browser: Browser
let sim: RunningSimulator
let page: Page
const problems: string[] = []

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())
beforeEach(async () => {
  sim = await startSimulator()
  page = await browser.newPage({ viewport: { width: 360, height: 740 } })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  await page.goto(sim.url)
})
afterEach(async () => {
  await page.close()
  await sim.stop()
  expect(problems.splice(0)).toEqual([])
})

const phone = () => page.locator(`[data-msisdn="${amina}"]`)
const button = (name: string) => phone().getByRole('button', { name, exact: true })
const prompt = () => phone().getByText('Do you want to pay')
const bookRows = async () => (await sim.control('GET', '/book')).body

test('a prompt comes up by itself, is paid with the keypad, and leaves its receipt', async () => {
  const receiver = await openReceiver()
  await sim.push({ CallBackURL: receiver.url })
  await prompt().waitFor()
  expect(await prompt().innerText()).toMatch(
    /pay KES 150\.50 to Malipo Payments \(174379\) account A1B2C3D4E5F6/,
  )
  expect(await phone().locator('[data-expires]').innerText()).toMatch(/^for another [01]:\d\d$/)
  for (const digit of ['1', '2', '3', '9', 'back', '4']) await button(digit).click()
  await button('Approve').click()
  await phone().getByText('No prompt').waitFor()
  const [row] = await bookRows()
  await phone().getByText('Messages (1)').click()
  await phone()
    .getByText(`${String(row.receipt)} Confirmed.`)
    .waitFor()
  await page.getByText('callback_delivered').waitFor()
  expect(await phone().locator('.balance').innerText()).toBe('KES 49,849.50')
  await receiver.stop()
})

test.each([
  ['Cancel', 'cancelled'],
  ['Wrong PIN', 'wrong_pin'],
  ['No funds', 'no_funds'],
])('%s ends the prompt as %s', async (name, outcome) => {
  await sim.push()
  await button(name).click()
  await page.getByText(`outcome=${outcome}`).waitFor()
  expect(await bookRows()).toEqual([])
})

test('a wrong PIN on the keypad is a wrong PIN', async () => {
  await sim.push()
  for (const digit of ['0', '0', '0', '0']) await button(digit).click()
  await button('Approve').click()
  await page.getByText('outcome=wrong_pin').waitFor()
})

test('half a PIN survives news of another phone', async () => {
  await sim.push()
  await button('7').click()
  await sim.control('PATCH', '/phones/254712345678', { name: 'Somebody new' })
  await page.getByText('Somebody new').waitFor()
  expect(await phone().locator('.prompt input').inputValue()).toBe('7')
})

test('the clock, a story and the SIM are a touch away', async () => {
  await page.getByRole('button', { name: '+ 1 min' }).click()
  await page.getByText('jump_ms=60000').waitFor()
  await page.getByLabel('Story').selectOption('cancel')
  await page.getByText('pack=cancel').waitFor()
  await phone().getByLabel('SIM').selectOption('off')
  await page.getByText('phone_changed').waitFor()
  expect((await sim.control('GET', `/phones/${amina}`)).body.sim_state).toBe('off')
})

test('a reset shows the new simulation', async () => {
  await sim.control('PATCH', `/phones/${amina}`, { name: 'Renamed' })
  await phone().getByText('Renamed').waitFor()
  await page.getByRole('button', { name: 'Reset' }).click()
  await phone().getByText('Amina').waitFor()
})

test('it says what it is, and fits a small phone', async () => {
  await sim.push()
  await prompt().waitFor()
  expect(await page.getByText('This is a simulator. No money moves here.').isVisible()).toBe(true)
  const width = await page.evaluate('document.documentElement.scrollWidth')
  expect(width).toBeLessThanOrEqual(360)
})

test('Lipa na M-PESA pays what is typed', async () => {
  await phone().getByText('Lipa na M-PESA').click()
  await phone().getByLabel('Business number').fill('174379')
  await phone().getByLabel('Account number').fill('CS 1234-5674')
  await phone().getByLabel('Amount in shillings').fill('150.5')
  await button('Send').click()
  await phone().getByText('Messages (1)').waitFor()
  expect(await bookRows()).toMatchObject([
    { kind: 'pay_bill', account: 'CS 1234-5674', amount: '15050' },
  ])
})
