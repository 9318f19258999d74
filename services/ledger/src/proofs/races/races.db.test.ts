import { ledgerOfFile } from '../../ledger.harness'
import { deliver, posted } from './deliveries.harness'
import { main } from './races.harness'
import { deliverAtOnce, payAtDeadline, payAtOnce, type Round } from './rounds.harness'

const at = ledgerOfFile()

// The short form of `npm run races`, which takes a thousand rounds of the first race and a hundred of each other.
const races: Readonly<Record<string, () => Promise<Round>>> = {
  'row 31: 50 payers at one moment are one attempt and one prompt': () => payAtOnce(at),
  'row 3: 100 deliveries of one callback at one moment post once': () => deliverAtOnce(at),
  'a callback just before its deadline completes': () => payAtDeadline(at, 'callback'),
  'row 13: a callback just after its deadline completes': () => payAtDeadline(at, 'expiry'),
  'a callback at the moment of its deadline completes': () => payAtDeadline(at, 'neither'),
}

test.each(Object.entries(races))('%s', async (_name, round) => {
  for (let rounds = 0; rounds < 3; rounds += 1) {
    const { expected, got } = await round()
    expect(got).toEqual(expected)
  }
})

test('1,000 shuffled deliveries of 50 payments post 50 times', async () => {
  await deliver(at, { payments: 50, copies: 20 })
  const { deliveries, ...books } = await posted(at)
  // Of the five races above, four post a payment in each of their three rounds.
  const payments = 3 * 4 + 50
  expect(books).toEqual({
    transfers: payments,
    receipts: payments,
    completed: payments,
    toMerchant: BigInt(payments) * 50_000n,
  })
  // A caller without an answer repeats its call, so there may be more.
  expect(deliveries).toBeGreaterThanOrEqual(1_000)
})

test('npm run races prints its usage', async () => {
  const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  expect(await main(['--help'])).toBe(0)
  expect(stdout.mock.calls.join('')).toMatch(/Usage: npm run races/)
  stdout.mockRestore()
})
