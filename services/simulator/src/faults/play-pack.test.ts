import { ofTest } from '@malipo/testing/lazily'
import { eventually } from '@malipo/testing/eventually'
import { amina, brian, openReceiver, startSimulator } from '../start.harness'

const sim = ofTest(() => startSimulator())
const receiver = ofTest(() => openReceiver())

const play = (name: string, when: object = {}) => sim.control('POST', `/packs/${name}`, { when })
const push = (fields: Record<string, unknown> = {}) =>
  sim.push({ CallBackURL: receiver.url, ...fields })
const codes = () =>
  receiver.received.map((text) => JSON.parse(text).Body.stkCallback.ResultCode as number)
const callbacks = (count: number) =>
  eventually('the callbacks', () => receiver.received.length === count && codes())
const paid = async () => (await sim.control('GET', '/book')).body.length

test.each([
  ['happy-path', 0],
  ['no-funds', 1],
  ['cancel', 1032],
])('%s ends with result code %i after two seconds', async (name, code) => {
  await play(name)
  await push()
  await sim.jump(2_000)
  expect(await callbacks(1)).toEqual([code])
})

test('ignore lets the prompt expire', async () => {
  await play('ignore')
  await push()
  await sim.jump(60_000)
  expect(await callbacks(1)).toEqual([1037])
})

test('wrong-pin-then-success: the first prompt fails, the next one pays', async () => {
  await play('wrong-pin-then-success')
  for (const count of [1, 2]) {
    await push()
    await sim.jump(2_000)
    await callbacks(count)
  }
  expect(codes()).toEqual([2001, 0])
})

test('callback-lost: no callback comes, the status query says paid, and the statement has the receipt', async () => {
  await play('callback-lost')
  const { CheckoutRequestID } = (await push()).body
  await sim.jump(2_000)
  expect((await sim.query(CheckoutRequestID)).body.ResultCode).toBe('0')
  expect(await paid()).toBe(1)
  expect(receiver.received).toEqual([])
})

test('paid-not-found: the money moved, and the first two status queries answer not found', async () => {
  await play('paid-not-found')
  const { CheckoutRequestID } = (await push()).body
  await sim.jump(2_000)
  await callbacks(1)
  expect(await paid()).toBe(1)
  const answers: unknown[] = []
  for (let queries = 0; queries < 3; queries += 1) {
    const { status, body } = await sim.query(CheckoutRequestID)
    answers.push([status, body.ResultCode ?? body.errorCode])
  }
  expect(answers).toEqual([
    [404, '404.001.01'],
    [404, '404.001.01'],
    [200, '0'],
  ])
})

test('double-callback: one payment, two callbacks', async () => {
  await play('double-callback')
  await push()
  await sim.jump(2_000)
  await callbacks(1)
  await sim.jump(500)
  expect(await callbacks(2)).toEqual([0, 0])
  expect(await paid()).toBe(1)
})

test('late-success: the callback comes three minutes after the payment', async () => {
  await play('late-success')
  await push()
  await sim.jump(2_000)
  expect(await paid()).toBe(1)
  await sim.jump(179_999)
  expect(receiver.received).toEqual([])
  await sim.jump(1)
  expect(await callbacks(1)).toEqual([0])
})

test("early-callback: the callback comes before the push's answer", async () => {
  await play('early-callback')
  const pushed = push()
  await eventually(
    'the prompt',
    async () => (await sim.control('GET', `/phones/${amina}`)).body.prompt,
  )
  await sim.jump(2_000)
  expect(await callbacks(1)).toEqual([0])
  expect((await pushed).status).toBe(200)
})

const bookOf = async (): Promise<{ kind: string; amount: string }[]> =>
  (await sim.control('GET', '/book')).body

test('late-pay-bill: the prompt expires, and the menu pays', async () => {
  await play('late-pay-bill')
  await push()
  await sim.jump(60_000)
  expect(await callbacks(1)).toEqual([1037])
  await sim.jump(5_000)
  expect(
    await eventually('the payment', async () => (await paid()) === 1 && bookOf()),
  ).toMatchObject([{ kind: 'pay_bill', account: 'A1B2C3D4E5F6', amount: '15050' }])
})

test('both-paid: the menu pays first, then the prompt, with two receipts', async () => {
  await play('both-paid')
  await push()
  await sim.jump(500)
  await eventually('the payment', async () => (await paid()) === 1)
  await sim.jump(1_500)
  expect((await bookOf()).map(({ kind }) => kind)).toEqual(['pay_bill', 'stk_push'])
})

test.each([
  ['part-payment', '7525'],
  ['over-payment', '22575'],
])('%s: the menu pays %s of 15050', async (name, amount) => {
  await play(name)
  await push()
  await sim.jump(2_000)
  await eventually('the payment', async () => (await paid()) === 1)
  expect(await bookOf()).toMatchObject([{ kind: 'pay_bill', amount }])
})

test('two-tabs: the prompt stays open for a second tab', async () => {
  await play('two-tabs')
  await push()
  await sim.jump(14_999)
  expect(await paid()).toBe(0)
  await sim.jump(1)
  expect(await paid()).toBe(1)
})

test('key-replaced: the first push is refused for its token, the next one succeeds', async () => {
  await play('key-replaced')
  expect((await push()).body.errorMessage).toBe('Invalid Access Token')
  expect((await push()).status).toBe(200)
})

test('provider-storm: the same seed gives the same errors', async () => {
  const storm = async () => {
    await sim.control('POST', '/reset', { seed: 'storm' })
    await play('provider-storm', { amount: '700' })
    const statuses: number[] = []
    for (let count = 0; count < 12; count += 1) {
      let status: number | undefined
      const pushed = push({ Amount: '7' }).then(
        (answer) => (status = answer.status),
        () => (status = 0),
      )
      // Advances until the push is answered, and once more until its prompt and its callback are over.
      while (status === undefined) await sim.jump(130_000)
      await sim.jump(130_000)
      statuses.push(await pushed)
    }
    return statuses
  }
  const first = await storm()
  expect(await storm()).toEqual(first)
  expect(new Set(first).size).toBeGreaterThan(1)
})

test('a scenario replaces the previous one, and `none` ends it', async () => {
  await play('cancel')
  expect((await play('no-funds')).body).toMatchObject([{ pack: 'no-funds' }])
  expect((await sim.control('GET', '/rules')).body).toHaveLength(1)
  await play('none')
  expect((await sim.control('GET', '/rules')).body).toEqual([])
})

test('a scenario that would exceed the limit of rules is refused, and the previous one stays', async () => {
  await play('cancel')
  const rule = { on: 'push', effect: { kind: 'early' } }
  for (let made = 1; made < 200; made += 1) await sim.control('POST', '/rules', rule)
  expect(await play('both-paid')).toMatchObject({ status: 409, body: { error: 'rules_full' } })
  const rules: { pack: string | null }[] = (await sim.control('GET', '/rules')).body
  expect(rules.filter(({ pack }) => pack !== null)).toMatchObject([{ pack: 'cancel' }])
  expect((await play('no-funds')).status).toBe(200)
})

test('a scenario can apply to one phone', async () => {
  await play('cancel', { msisdn: brian })
  await push()
  await push({ PhoneNumber: brian })
  await sim.jump(2_000)
  expect(await callbacks(1)).toEqual([1032])
  expect((await sim.control('GET', `/phones/${amina}`)).body.prompt).not.toBeNull()
})

test.each(['holiday', 'constructor'])('an unknown scenario %s returns 404', async (name) => {
  expect(await play(name)).toMatchObject({ status: 404, body: { error: 'pack_not_found' } })
})
