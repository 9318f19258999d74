import { amina, brian, openReceiver, startSimulator, type RunningSimulator } from './start.harness'

const wanted = { business_number: '174379', account_number: 'CS 1', amount: '5000' }

/** A mixed load: payments that succeed and fail, an error storm, the menu, a clock jump, a replay. */
async function play(sim: RunningSimulator, url: string): Promise<void> {
  const untilEvent = (kind: string, count: number) =>
    sim.control('POST', '/expect', { kind, count })
  await sim.push({ CallBackURL: url })
  await sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })
  await untilEvent('callback_delivered', 1)
  await sim.push({ PartyA: brian, PhoneNumber: brian, CallBackURL: url })
  await sim.jump(60_000)
  await untilEvent('callback_delivered', 2)
  await sim.control('POST', `/phones/${brian}/paybill`, wanted)
  const chance = { kind: 'error', error: 'system_busy' }
  await sim.control('POST', '/rules', { on: 'query', effect: chance, probability: 0.5 })
  const { body } = await sim.push({ Amount: '7', CallBackURL: url })
  for (let count = 0; count < 20; count += 1) await sim.query(body.CheckoutRequestID)
  await sim.control('POST', '/packs/double-callback', {})
  await sim.control('POST', `/phones/${amina}/prompt`, { action: 'cancel' })
  await untilEvent('callback_delivered', 3)
  await sim.jump(500)
  await untilEvent('callback_delivered', 4)
}

test('a run gives the same log for the same seed and script, byte for byte', async () => {
  const receiver = await openReceiver()
  const logs: string[] = []
  for (let run = 0; run < 2; run += 1) {
    const sim = await startSimulator({ seed: 'again' })
    await play(sim, receiver.url)
    const text = await fetch(`${sim.url}/sim/v1/events?limit=10000`).then((answer) => answer.text())
    const events = JSON.parse(text) as { id: number }[]
    const bodies = await Promise.all(
      events.map(async ({ id }) => {
        const { exchange } = (await sim.control('GET', `/events/${String(id)}`)).body
        return JSON.stringify([exchange?.body, exchange?.answer])
      }),
    )
    logs.push(text + bodies.join('\n'))
    await sim.stop()
  }
  expect(logs[0]?.length).toBeGreaterThan(10_000)
  expect(logs[1]).toBe(logs[0])
  await receiver.stop()
})

test('a run gives another receipt for another seed', async () => {
  const receipts: string[] = []
  for (const seed of ['one', 'other']) {
    const sim = await startSimulator({ seed })
    receipts.push((await sim.control('POST', `/phones/${amina}/paybill`, wanted)).body.receipt)
    await sim.stop()
  }
  expect(receipts[0]).not.toBe(receipts[1])
})
