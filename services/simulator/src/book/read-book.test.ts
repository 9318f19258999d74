import { amina, startSimulator, type RunningSimulator } from '../start.harness'

let sim: RunningSimulator
beforeAll(async () => {
  sim = await startSimulator()
  for (const Amount of ['1', '2', '3']) {
    await sim.push({ Amount })
    await sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })
  }
})
afterAll(() => sim.stop())

const amounts = (body: readonly { amount: string }[]) => body.map(({ amount }) => amount)

test('all rows are read, oldest first', async () => {
  const { body, headers } = await sim.control('GET', '/book')
  expect(amounts(body)).toEqual(['100', '200', '300'])
  expect(headers.get('x-sim-next')).toBeNull()
})

test('each page but the last names where the next one begins', async () => {
  const first = await sim.control('GET', '/book?limit=2')
  expect(amounts(first.body)).toEqual(['100', '200'])
  const next = first.headers.get('x-sim-next') ?? ''
  const second = await sim.control('GET', `/book?limit=2&since=${next}`)
  expect(amounts(second.body)).toEqual(['300'])
  expect(second.headers.get('x-sim-next')).toBeNull()
})

test('the meta has the number of rows of the book', async () => {
  expect((await sim.control('GET', '/meta')).body.book).toEqual({ rows: 3 })
})
