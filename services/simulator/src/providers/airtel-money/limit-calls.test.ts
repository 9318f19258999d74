import { airtelMoney, startSimulator, type RunningSimulator } from '../../start.harness'
import { recorded } from '../recorded.harness'
import { airtelClient } from './airtel-money.harness'

let sim: RunningSimulator
let airtel: ReturnType<typeof airtelClient>
beforeEach(async () => {
  sim = await startSimulator({ airtelMoney: { ...airtelMoney, callsPerMinute: 3 } })
  airtel = airtelClient(sim)
})
afterEach(() => sim.stop())

const left = ({ headers }: { readonly headers: Headers }) => [
  headers.get('x-ratelimit-limit-minute'),
  headers.get('x-ratelimit-remaining-minute'),
]

test('headers count the remaining calls in answers and refusals, and the count is reset every minute', async () => {
  expect(left(await airtel.enquire())).toEqual(['3', '2'])
  expect(left(await airtel.pay())).toEqual(['3', '1'])
  expect(left(await airtel.enquire())).toEqual(['3', '0'])
  const refused = await airtel.pay({ id: 'another' })
  expect(refused).toMatchObject(recorded('airtel-money', 'any-error-too-many-requests'))
  expect(left(refused)).toEqual(['3', '0'])
  await sim.jump(60_000)
  expect(left(await airtel.pay({ id: 'another' }))).toEqual(['3', '2'])
})

test('without a limit no answer has rate limit headers', async () => {
  await sim.stop()
  sim = await startSimulator()
  airtel = airtelClient(sim)
  expect(left(await airtel.pay())).toEqual([null, null])
})
