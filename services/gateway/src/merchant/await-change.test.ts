import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { Fault } from '@malipo/kernel/errors'
import type { MerchantCheckout } from '@malipo/ledger-client/checkouts'
import { openWaits } from './await-change'
import { afterClientLeft } from '../left-client.harness'
import { send } from '../send.harness'

const open: MerchantCheckout = {
  checkoutId: 'cs_ke_000000000000000000000000',
  status: 'open',
  amountMinor: 50_000n,
  currency: 'KES',
  reference: undefined,
  description: undefined,
  returnUrl: undefined,
  expiresAt: new Date(0),
  createdAt: new Date(0),
  payment: undefined,
}
const expired: MerchantCheckout = { ...open, status: 'expired' }

/** Loses every announcement. */
const changes = {
  watch: () => () => undefined,
  collect: () => ({ has: () => false, end: () => undefined }),
}

function openWait(read: () => Promise<MerchantCheckout>) {
  const request = new IncomingMessage(new Socket())
  const wait = { request, response: new ServerResponse(request), checkoutId: open.checkoutId }
  return openWaits(changes, 1).awaitChange({ ...wait, seconds: 60, read })
}

describe('when announcements are lost', () => {
  beforeEach(() => jest.useFakeTimers())
  afterEach(() => jest.useRealTimers())

  test('reads again every 5 seconds, and no more often', async () => {
    const read = jest.fn(() => Promise.resolve(open))
    const waited = openWait(read)
    await jest.advanceTimersByTimeAsync(4_999)
    expect(read).toHaveBeenCalledTimes(1)
    await jest.advanceTimersByTimeAsync(1)
    expect(read).toHaveBeenCalledTimes(2)
    await jest.advanceTimersByTimeAsync(45_000)
    expect(read).toHaveBeenCalledTimes(11)
    read.mockResolvedValue(expired)
    await jest.advanceTimersByTimeAsync(5_000)
    expect(await waited).toEqual({ checkout: expired, isApplied: true })
  })

  test('keeps waiting after a failed read, and answers with the failure of the last read', async () => {
    const read = jest.fn(() => Promise.resolve(open))
    const waited = openWait(read)
    await jest.advanceTimersByTimeAsync(1_000)
    read.mockRejectedValue(new Fault('ledger_unavailable'))
    const refused = expect(waited).rejects.toMatchObject({ reason: 'ledger_unavailable' })
    await jest.advanceTimersByTimeAsync(58_999)
    expect(read).toHaveBeenCalledTimes(12)
    await jest.advanceTimersByTimeAsync(1)
    await refused
  })
})

const begun: MerchantCheckout = {
  ...open,
  payment: {
    intentId: 'pi_ke_000000000000000000000000',
    status: 'created',
    settledMinor: undefined,
    receipt: undefined,
    phone: undefined,
    rail: 'mpesa',
    cause: undefined,
  },
}

test.each([true, false])(
  'reads again at once only if the payment was announced during the read: announced %s',
  async (isAnnounced) => {
    const read = jest.fn(() => Promise.resolve(begun))
    const collect = () => ({ has: () => isAnnounced, end: () => undefined })
    const waits = openWaits({ ...changes, collect }, 1)
    const request = new IncomingMessage(new Socket())
    const wait = { request, response: new ServerResponse(request), checkoutId: open.checkoutId }
    const waited = waits.awaitChange({ ...wait, seconds: 60, read })
    await new Promise(setImmediate)
    expect(read).toHaveBeenCalledTimes(isAnnounced ? 2 : 1)
    waits.close()
    expect(await waited).toEqual({ checkout: begun, isApplied: false })
  },
)

test('keeps a socket open that has a shorter idle timeout than the wait', async () => {
  const waits = openWaits(changes, 1)
  const read = () => Promise.resolve(open)
  const { checkoutId } = open
  const server = createServer((request, response) => {
    const wait = { request, response, checkoutId, seconds: 1, read }
    void waits.awaitChange(wait).then(({ isApplied }) => response.end(String(isApplied)))
  })
  server.timeout = 100
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const reply = await send(`http://127.0.0.1:${String(port)}`)
  expect(reply.text).toBe('true')
  await new Promise((resolve) => server.close(resolve))
})

test('takes no place for a request whose client left before the wait began', async () => {
  const waits = openWaits(changes, 1)
  const read = jest.fn(() => Promise.resolve(open))
  const { checkoutId } = open
  const waited = await afterClientLeft((request, response) =>
    waits.awaitChange({ request, response, checkoutId, seconds: 60, read }),
  )
  expect([waited.isApplied, read.mock.calls.length]).toEqual([false, 1])
})
