import { eventually } from '@malipo/testing/eventually'
import {
  amina,
  brian,
  openReceiver,
  startSimulator,
  type Receiver,
  type RunningSimulator,
} from '../../start.harness'

let sim: RunningSimulator
let receiver: Receiver
beforeEach(async () => {
  sim = await startSimulator()
  receiver = await openReceiver()
})
afterEach(async () => {
  await sim.stop()
  await receiver.stop()
})

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
])('%s ends with %i after two seconds of thought', async (name, code) => {
  await play(name)
  await push()
  await sim.jump(2_000)
  expect(await callbacks(1)).toEqual([code])
})

test('ignore rings out', async () => {
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

test('callback-lost: the query knows, the statement has the receipt', async () => {
  await play('callback-lost')
  const { CheckoutRequestID } = (await push()).body
  await sim.jump(2_000)
  expect((await sim.query(CheckoutRequestID)).body.ResultCode).toBe('0')
  expect(await paid()).toBe(1)
  expect(receiver.received).toEqual([])
})

test('double-callback: one payment, told twice', async () => {
  await play('double-callback')
  await push()
  await sim.jump(2_000)
  await callbacks(1)
  await sim.jump(500)
  expect(await callbacks(2)).toEqual([0, 0])
  expect(await paid()).toBe(1)
})

test('late-success: three minutes later', async () => {
  await play('late-success')
  await push()
  await sim.jump(2_000)
  expect(await paid()).toBe(1)
  await sim.jump(179_999)
  expect(receiver.received).toEqual([])
  await sim.jump(1)
  expect(await callbacks(1)).toEqual([0])
})

test('early-callback: told before the push is answered', async () => {
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

test('a pack takes the place of the one before, and none ends it', async () => {
  await play('cancel')
  expect((await play('no-funds')).body).toMatchObject([{ pack: 'no-funds' }])
  expect((await sim.control('GET', '/rules')).body).toHaveLength(1)
  await play('none')
  expect((await sim.control('GET', '/rules')).body).toEqual([])
})

test('a pack can be for one phone', async () => {
  await play('cancel', { msisdn: brian })
  await push()
  await push({ PhoneNumber: brian })
  await sim.jump(2_000)
  expect(await callbacks(1)).toEqual([1032])
  expect((await sim.control('GET', `/phones/${amina}`)).body.prompt).not.toBeNull()
})

test.each(['holiday', 'constructor'])('there is no pack %s: 404', async (name) => {
  expect(await play(name)).toMatchObject({ status: 404, body: { error: 'pack_not_found' } })
})
