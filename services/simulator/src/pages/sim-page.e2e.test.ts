import { openBrowser } from '@malipo/e2e/browser'
import { eventually } from '@malipo/testing/eventually'
import { airtelClient, joan } from '../providers/airtel-money/airtel-money.harness'
import { amina, openReceiver } from '../start.harness'
import { openDesk, type Desk } from './sim-page.harness'

let browser: Awaited<ReturnType<typeof openBrowser>>
let desk: Desk
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())
beforeEach(async () => {
  desk = await openDesk(browser)
})
afterEach(async () => {
  await desk.close()
  expect(desk.problems).toEqual([])
})

const phone = () => desk.page.locator(`[data-msisdn="${amina}"]`)
const button = (name: string) => phone().getByRole('button', { name, exact: true })
const prompt = () => phone().getByText('Do you want to pay')
const bookRows = async () => (await desk.sim.control('GET', '/book')).body
const outcome = async () => {
  const { body } = await desk.sim.control('POST', '/expect', { kind: 'prompt_closed' })
  return body.events[0]?.facts.outcome as string
}

test('a prompt appears, is paid with the keypad, and leaves its receipt', async () => {
  const receiver = await openReceiver()
  await desk.sim.push({ CallBackURL: receiver.url })
  await prompt().waitFor()
  expect(await prompt().innerText()).toMatch(
    /pay KES 150\.50 to Malipo Payments \(174379\) account A1B2C3D4E5F6/,
  )
  expect(await phone().locator('.ring').innerText()).toMatch(/^[01]:\d\d$/)
  expect(await desk.page.locator('.ringing-now').innerText()).toContain('Amina')
  for (const digit of ['1', '2', '3', '9', 'back', '4']) await button(digit).click()
  await button('Approve').click()
  await phone().getByText('No prompt').waitFor()
  const [row] = await bookRows()
  await phone().getByText('Messages (1)').click()
  await phone()
    .getByText(`${String(row.receipt)} Confirmed.`)
    .waitFor()
  expect(await phone().locator('.balance').innerText()).toBe('KES 49,849.50')
  await receiver.stop()
})

test('a phone of Airtel has the currency of its country: its balance, and the prompt', async () => {
  const shown = (msisdn: string, part: string) =>
    desk.page.locator(`[data-msisdn="${msisdn}"] ${part}`).innerText()
  const moses = '254733123456'
  expect(await shown(moses, '.balance')).toBe('KES 50,000')
  expect(await shown(joan, '.balance')).toBe('UGX 500,000')
  const headers = { 'x-country': 'KE', 'x-currency': 'KES' }
  await airtelClient(desk.sim).pay({ headers, msisdn: moses.slice(3), amount: 1_234.5 })
  expect(await shown(moses, '.prompt')).toContain('Do you want to pay KES 1,234.50 to')
})

test.each([
  ['Cancel', 'cancelled'],
  ['Wrong PIN', 'wrong_pin'],
  ['No funds', 'no_funds'],
])('the button %s ends the prompt as %s', async (name, expected) => {
  await desk.sim.push()
  await button(name).click()
  expect(await outcome()).toBe(expected)
})

test('enters a wrong PIN with the keyboard only', async () => {
  await desk.sim.push()
  await phone().getByLabel('M-PESA PIN').focus()
  await desk.page.keyboard.type('0000')
  await desk.page.keyboard.press('Enter')
  expect(await outcome()).toBe('wrong_pin')
})

test('a half-typed PIN survives an update of another phone', async () => {
  await desk.sim.push()
  await button('7').click()
  await desk.sim.control('PATCH', '/phones/254712345678', { name: 'Another name' })
  await desk.page.getByRole('heading', { name: 'Another name' }).waitFor()
  expect(await phone().locator('.prompt input').inputValue()).toBe('7')
})

test('typed text, open details and the focus survive an update of the same phone', async () => {
  await phone().getByText('Lipa na M-PESA').click()
  await phone().getByLabel('Account number').fill('CS 12')
  await desk.sim.control('PATCH', `/phones/${amina}`, { name: 'Amina B' })
  await phone().getByText('Amina B').waitFor()
  await desk.page.keyboard.type('34')
  expect(await phone().getByLabel('Account number').inputValue()).toBe('CS 1234')
})

test('the page starts a scenario, moves the clock, and switches a SIM off', async () => {
  await desk.page.locator('summary', { hasText: 'Stories' }).click()
  await desk.page.getByRole('button', { name: 'cancel', exact: true }).click()
  await desk.page.getByText('The payer presses Cancel.').waitFor()
  await desk.sim.push()
  const next = desk.page.locator('.next')
  await next.getByText('Amina answers: cancel').waitFor()
  await desk.page.getByRole('button', { name: 'Next event now' }).click()
  expect(await outcome()).toBe('cancelled')
  await desk.page.getByRole('button', { name: '+ 1 min' }).click()
  await phone().getByText('Owner and SIM').click()
  await phone().getByLabel('SIM').selectOption('off')
  await phone().getByText('SIM: off').waitFor()
  expect((await desk.sim.control('GET', `/phones/${amina}`)).body.sim_state).toBe('off')
})

test('a reset shows the new simulation, and reproduce keeps its seed', async () => {
  const seed = async () => (await desk.sim.control('GET', '/meta')).body.seed as string
  await desk.sim.control('PATCH', `/phones/${amina}`, { name: 'Renamed' })
  await phone().getByText('Renamed').waitFor()
  await desk.page.getByRole('button', { name: 'Reproduce seed' }).click()
  await phone().getByText('Amina').waitFor()
  expect(await seed()).toBe('test')
  await desk.page.getByRole('button', { name: 'Reset, new seed' }).click()
  await eventually('another seed', async () => (await seed()) !== 'test')
})

test('a snapshot is saved and restored', async () => {
  await desk.page.getByRole('button', { name: 'Save snapshot' }).click()
  await desk.sim.control('PATCH', `/phones/${amina}`, { balance: '100' })
  await phone().getByText('KES 1', { exact: true }).waitFor()
  await desk.page.locator('summary', { hasText: 'Stories' }).click()
  await desk.page.getByRole('button', { name: /Put back snap_1/ }).click()
  await phone().getByText('KES 50,000').waitFor()
})

test('Lipa na M-PESA pays with the typed input', async () => {
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

test('a session has its own page', async () => {
  await desk.page.goto(`${desk.sim.url}/s/run`)
  await desk.page.getByText('Session run').waitFor()
  await desk.sim.session('run').push()
  await prompt().waitFor()
  await button('Cancel').click()
  await phone().getByText('No prompt').waitFor()
  expect((await desk.sim.control('GET', '/meta')).body.last_event).toBe(1)
})
