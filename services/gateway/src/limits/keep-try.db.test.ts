import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { eventually } from '@malipo/testing/eventually'
import type { Merchant } from '../merchants.harness'
import { send } from '../send.harness'
import { type RunningHost, startHost } from '../start.harness'
import { type HeldLedger, openHeldLedger } from './held-ledger.harness'

const createsMax = 160
const headersOf = ({ secretKey }: Merchant) => ({
  authorization: `Bearer ${secretKey}`,
  'content-type': 'application/json',
})
const body = { amount: 50_000 }

let host: RunningHost
let ledger: HeldLedger

beforeAll(async () => {
  ledger = await openHeldLedger('ke')
  host = await startHost({ ledgerAddress: ledger.address })
  ledger.passOnTo(host.address('ledger'))
})
afterAll(async () => {
  await host.stop()
  await ledger.stop()
})

test('a create that is refused for load takes none of the 120 a minute of its account', async () => {
  const url = `${host.url}/v1/payments/merchant/checkouts`
  const merchant = await host.merchant()
  const others = [await host.merchant(), await host.merchant()] as const
  // Its body comes when there is no more room, so it is refused with its call, after it was counted.
  const slow = request(url, {
    method: 'POST',
    headers: { ...headersOf(merchant), expect: '100-continue' },
  })
  slow.flushHeaders()
  await once(slow, 'continue')
  ledger.hold('createCheckout')
  const creates = Array.from({ length: createsMax }, (_, index) =>
    send(url, { body, headers: headersOf(others[index < 80 ? 0 : 1]) }),
  )
  await eventually('no more room', () => ledger.arrived('createCheckout') === createsMax)
  slow.end(JSON.stringify(body))
  const [refused] = (await once(slow, 'response')) as [IncomingMessage]
  ledger.release()
  await Promise.all(creates)

  expect([refused.statusCode, await json(refused)]).toEqual([
    503,
    expect.objectContaining({ code: 2752 }),
  ])
  expect(refused.headers['ratelimit']).toMatch(/^"merchant";r=120;/)
  const next = await send(url, { body, headers: headersOf(merchant) })
  expect([next.status, next.headers['ratelimit']]).toEqual([
    201,
    expect.stringMatching(/^"merchant";r=119;/),
  ])
})
