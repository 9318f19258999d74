import { type RunningConsole, startConsole } from '../console.harness'
import { openTestOperator, type TestOperator } from '../test-operator.harness'

let running: RunningConsole
let asha: TestOperator

beforeAll(async () => {
  running = await startConsole()
  asha = openTestOperator(running.url)
  await asha.enrol('asha')
  await asha.signIn()
})
afterAll(() => running.stop())

test('a search with a NUL, which no database takes, matches no payment', async () => {
  const page = await asha.get('/payments?search=ab%00c')
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('No payment matches.')])
})

test.each([
  '/reconciliation/ke/2026-11-20/mpesa?after=%00',
  '/payments/ke/ab%00c',
  '/receipts/ke/mpesa:QK%00',
])('%s, an address with a NUL, is no page', async (address) => {
  expect((await asha.get(address)).status).toBe(404)
})
