import { type RunningConsole, startConsole } from '../console.harness'
import { openTestOperator, type TestOperator } from '../test-operator.harness'

let running: RunningConsole
let asha: TestOperator
let brian: TestOperator

beforeAll(async () => {
  running = await startConsole()
  asha = openTestOperator(running.url)
  brian = openTestOperator(running.url)
  for (const [operator, name] of [
    [asha, 'asha'],
    [brian, 'brian'],
  ] as const) {
    expect(await operator.enrol(name)).toEqual(['enrolled', 'enrolled'])
    await operator.signIn()
  }
})
afterAll(() => running.stop())

test('money that the portal shows is posted by two operators, from the page of its report', async () => {
  const checkoutId = await running.ke.checkout('order-90')
  const { intentId, token, providerRequestId } = await running.ke.prompted(checkoutId)
  await running.ke.reportPaid(token, providerRequestId)
  await running.ke.letPass(660)
  const { subject = '' } = (await running.ke.calls.listReports({ limit: 1 })).reports[0] ?? {}
  const path = `/reports/ke/${encodeURIComponent(subject)}`
  expect((await asha.get(path)).text).toContain('data-act="AskReportPosting"')

  const receipt = subject.replace('mpesa:', '')
  const seen = { receipt, amount: 'KES 1,500.00', note: 'in the portal' }
  const wrong = await asha.act('AskReportPosting', { intentId, ...seen, amount: '1,600' })
  expect(wrong.body.data).toMatchObject({
    ...{ outcome: 'amount_not_asked', is_done: false },
    text: 'The payer was asked for another amount.',
  })
  const { id } = (await asha.act('AskReportPosting', { intentId, ...seen })).body.data
  const page = `/reports/ke/${intentId}`
  expect((await asha.get('/')).text).toContain(page)
  const shown = (await brian.get(page)).text
  expect(shown).toMatch(new RegExp(`Post ${receipt}, KES\\s1,500\\.00, asked by asha`))
  expect(shown).toContain(`value="${String(id)}"`)
  const decision = { postingId: id, agreed: true, note: 'seen there too' }
  expect((await asha.act('DecideReportPosting', decision)).body.data.outcome).toBe('needs_another')
  expect((await brian.act('DecideReportPosting', decision)).body.data).toMatchObject({
    ...{ outcome: 'posted', is_done: true },
    text: 'Posted: the payment has its money.',
  })
  const { checkout } = await running.ke.calls.readCheckout({ checkoutId })
  expect(checkout?.status).toBe('CHECKOUT_STATUS_COMPLETED')
})
