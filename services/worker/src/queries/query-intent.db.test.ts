import type { Started } from '@malipo/runtime/process'
import { eventually } from '@malipo/testing/eventually'
import type { Attempt } from '../gateway.harness'
import { openSurroundings, type Surroundings } from '../start.harness'

let around: Surroundings
let worker: Started

beforeAll(async () => {
  around = await openSurroundings()
  worker = await around.startWorker()
})
afterAll(async () => {
  await worker.stop()
  await around.stop()
})

/** Less than the 15 seconds after which a query is given up, and its place is free again. */
const soonMs = 10_000

const becomes = ({ checkoutId }: Attempt, status: string) =>
  eventually(
    `${checkoutId} is ${status}`,
    async () => (await around.attempt(checkoutId))?.status === status,
    soonMs,
  )

async function askedOfMpesa(): Promise<number> {
  const begun = "SELECT FROM intents WHERE asked_at IS NOT NULL AND rail = 'mpesa'"
  return (await around.database.pool.query(begun)).rowCount ?? 0
}

test('forty status queries that M-PESA does not answer delay neither a query of a card nor a queued prompt, and begin only while there is room', async () => {
  const unanswered = { on: 'query', when: { business: '174379' }, effect: { kind: 'drop' } }
  await around.control('POST', '/rules', unanswered)
  const phones = await Promise.all(Array.from({ length: 40 }, () => around.addPhone('ask')))
  const attempts = await Promise.all(phones.map((phone) => around.pay(phone)))
  const [phone = '', first] = [phones[0], attempts[0]]
  const queued = await around.pay(phone, undefined, 60_000n)
  await eventually('queries wait for M-PESA', async () => (await askedOfMpesa()) >= 12)

  const card = await around.payByCard()
  const session = await eventually('the page is open', () => around.sessionOf(card))
  await fetch(`${around.simulatorUrl}/checkout/pay/${session}`, {
    ...{ method: 'POST', redirect: 'manual' },
    body: new URLSearchParams({
      ...{ number: '5111111111111118', month: '01', year: '39', csc: '100', name: 'A' },
    }),
  })
  await around.control('POST', `/phones/${phone}/prompt`, { action: 'approve' })

  // Notifications of the card gateway are lost here, so only a query can complete the payment by card.
  await becomes(card, 'INTENT_STATUS_COMPLETED')
  if (first) await becomes(first, 'INTENT_STATUS_COMPLETED')
  await becomes(queued, 'INTENT_STATUS_PENDING')
  // Two rounds of twelve at most fit into the time of this test.
  expect(await askedOfMpesa()).toBeLessThanOrEqual(24)
})
