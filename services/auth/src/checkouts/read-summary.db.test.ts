import type { SummaryView } from '@malipo/interface/hub'
import { systemClock } from '@malipo/runtime/clock'
import { eventually } from '@malipo/testing/eventually'
import { transferSql } from '@malipo/testing/transfer-sql'
import { ledgerPayments } from '../ledger-payments.harness'
import { authOfFile, type SignedInBrowser } from '../start.harness'
import { upstreamsOfFile } from '../upstreams.harness'

const upstreams = upstreamsOfFile()
const { auth } = authOfFile(upstreams)
let owner: SignedInBrowser
let shops = 0

beforeEach(async () => {
  owner = await auth.signedIn(`sums-${String((shops += 1))}`, { pin: '9274' })
  await upstreams.ledger.openWallet({ accountId: owner.accountId })
})

const read = async (): Promise<SummaryView> => (await owner.get('/summary')).body.data

test('shows a new owner two weeks without payments, and nothing that waits', async () => {
  const { days, ...rest } = await read()
  const dayMs = 86_400_000
  const today = new Date(systemClock.now() + 3 * 3_600_000).toISOString().slice(0, 10)
  const twoWeeks = Array.from({ length: 14 }, (_, ago) =>
    new Date(Date.parse(today) - (13 - ago) * dayMs).toISOString().slice(0, 10),
  )
  expect(days).toEqual(twoWeeks.map((day) => ({ day, rails: [] })))
  expect(rest).toEqual({
    days_max: 14,
    causes: [],
    held_checkouts: 0,
    webhooks_off: 0,
    webhooks_failing: 0,
  })
})

test("shows today's payments and why attempts took no money, of the signed-in owner alone", async () => {
  const { make, pay, fail } = ledgerPayments(upstreams, owner)
  await pay(await make('order-1'))
  await pay(await make('order-2'))
  await fail(await make('order-3'))
  const { days, causes } = await read()
  expect(days.at(-1)?.rails).toEqual([
    { rail: 'mpesa', paid: 2, received: '300100', unpaid: 1, unconfirmed: 0 },
  ])
  expect(causes).toEqual([{ rail: 'mpesa', cause: 'wrong_pin', count: 1 }])
  owner = await auth.signedIn(`others-${String(shops)}`)
  expect((await read()).days.every(({ rails }) => rails.length === 0)).toBe(true)
})

test('counts checkouts whose money is held', async () => {
  const { make, pay } = ledgerPayments(upstreams, owner)
  await pay(await make('order-1'))
  const [paid] = await upstreams.rows<{ event_key: string }>(
    'ledger',
    `SELECT event_key FROM transfers WHERE credit = 'wallet:${owner.accountId}'`,
  )
  const frozen = paid?.event_key.replace('receipt:', 'frozen:') ?? ''
  const wallet = `wallet:${owner.accountId}`
  await upstreams.rows('ledger', transferSql(frozen, wallet, 'suspense:unconfirmed', 150_050))
  const { days, held_checkouts: held } = await read()
  expect([days.at(-1)?.rails, held]).toEqual([[], 1])
})

test('counts webhook endpoints that fail, and those that are switched off', async () => {
  const add = async (path: string) => {
    const url = `https://shop.example/${path}`
    return (await owner.post('/webhooks', { pin: '9274', url })).body.data.endpoint_id as string
  }
  const answer = async (endpointId: string, value: number) => {
    await owner.post(`/webhooks/${endpointId}/test`)
    const { deliveries } = (await owner.get('/webhooks')).body.data
    const { delivery_id: deliveryId } = deliveries[0]
    await upstreams.ledger.beginDelivery({ deliveryId })
    const outcome = { $case: 'answerStatus', value } as const
    await upstreams.ledger.recordDelivery({ deliveryId, outcome, durationMs: 40 })
  }
  await answer(await add('works'), 204)
  const failing = await add('fails')
  await answer(failing, 500)
  const gone = await add('gone')
  await answer(gone, 500)
  await answer(gone, 410)
  expect(await read()).toMatchObject({ webhooks_off: 1, webhooks_failing: 1 })
  await owner.post(`/webhooks/${failing}/remove`)
  expect(await read()).toMatchObject({ webhooks_off: 1, webhooks_failing: 0 })
})

test('returns 503 while the ledger is down, and the summary once it is back', async () => {
  await upstreams.lose('ledger')
  const { status, body } = await owner.get('/summary')
  expect([status, body.code]).toEqual([503, 2752])
  await upstreams.bringBack('ledger')
  await eventually('the ledger is called again', async () => {
    return (await owner.get('/summary')).status === 200
  })
})
