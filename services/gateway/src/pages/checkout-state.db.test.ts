import { type RunningHost, startHost } from '../start.harness'

let host: RunningHost

beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.stop())

test('tells the page’s script which screen it would show, and why an attempt failed', async () => {
  const { id } = await host.checkout(await host.merchant(), { amount: 50_000 })
  const state = async () => (await host.ask(`/c/${id}/state`)).body.data
  const nothing = { intent_id: null, cause: null, no_money_taken: false }
  expect(await state()).toEqual({ status: 'open', screen: 'start', ...nothing })

  const first = (await host.startPayment(id)).intentId
  const waiting = { status: 'open', screen: 'waiting', cause: null, no_money_taken: false }
  expect(await state()).toEqual({ ...waiting, intent_id: first })

  await host.ledger.decline(await host.ledger.submit(first), 'WRONG_PIN')
  expect(await state()).toEqual({
    status: 'open',
    screen: 'failed',
    intent_id: first,
    cause: 'wrong_pin',
    no_money_taken: true,
  })

  const second = (await host.startPayment(id)).intentId
  await host.ledger.pay(await host.ledger.submit(second), 50_000n)
  expect(await state()).toMatchObject({
    status: 'completed',
    screen: 'paid',
    no_money_taken: false,
  })
})

test.each([
  ['cs_ke_000000000000000000000000', 404, 2783],
  ['nonsense', 400, 1701],
])('of %s is %i %i', async (id, status, code) => {
  const reply = await host.ask(`/c/${id}/state`)
  expect([reply.status, reply.body.code]).toEqual([status, code])
})
