import { ask } from '@malipo/stack/ask'
import { eventually } from '@malipo/testing/eventually'
import { type Account, signUp } from './account'
import { type Fixture, openFixture } from './fixture'
import { operate } from './operator'
import { rollUnderPayments } from './rolling/roll'

// Two gateways, ledgers and workers a country behind a balancer, as they run in a cluster.

/** The interface allows a cache of a minute. A shorter one makes the test of a revoked key quick. */
const keyCache = { KEY_CACHE_SECONDS: '2' }
const gateways = ['gateway-ke', 'gateway-ke-2'] as const
const ledgers = ['ledger-ke', 'ledger-ke-2'] as const

let fixture: Fixture

beforeAll(async () => {
  fixture = await openFixture(keyCache, ['--replicas', '2'])
})
afterAll(() => fixture.close())

const newAccount = () => signUp(fixture.stack.file, 'ke')
const unknown = `cs_ke_${'0'.repeat(24)}`

/** Reads a checkout over a new connection, so that the next read goes to the other gateway. Returns the status. */
async function readStatus({ secretKey }: Account): Promise<number> {
  const url = `${fixture.stack.file.hosts.ke.base_url}/v1/payments/merchant/checkouts/${unknown}`
  const headers = { authorization: `Bearer ${secretKey}` }
  const answer = await ask(url, 15_000, undefined, { headers })
  return answer.status
}

/** Returns the count of a histogram in each of the processes, over the series that have the label. */
async function countsOf(names: readonly string[], metric: string, label = ''): Promise<number[]> {
  return Promise.all(
    names.map(async (name) => {
      const { metrics_url: url } = fixture.stack.file.processes[name] ?? { metrics_url: '' }
      const lines = (await ask(url, 15_000)).body.split('\n')
      return lines
        .filter((line) => line.startsWith(`${metric}_count{`) && line.includes(label))
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
    }),
  )
}

/** Returns by how much each count rises during the work. */
async function risesDuring(counts: () => Promise<number[]>, work: () => Promise<unknown>) {
  const before = await counts()
  await work()
  const after = await counts()
  return after.map((count, index) => count - (before[index] ?? 0))
}

const answeredBy = (work: () => Promise<unknown>, status: number) =>
  risesDuring(() => countsOf(gateways, 'malipo_http_seconds', `status="${String(status)}"`), work)

test('both gateways count the requests of an account in one limit', async () => {
  const account = await newAccount()
  const statuses: number[] = []
  const read = async () => statuses.push(await readStatus(account))
  const answered = await answeredBy(() => Promise.all(Array.from({ length: 140 }, read)), 404)
  expect(statuses.filter((status) => status === 404)).toHaveLength(120)
  expect(statuses.filter((status) => status === 429)).toHaveLength(20)
  expect(Math.min(...answered)).toBeGreaterThan(40)
})

test('row 90: a revoked key stops working on both gateways', async () => {
  const account = await newAccount()
  const readFour = async () => {
    const statuses: number[] = []
    while (statuses.length < 4) statuses.push(await readStatus(account))
    return statuses
  }
  expect(await answeredBy(readFour, 404)).toEqual([2, 2])
  await account.revokeKey()
  const areRefused = async () => (await readFour()).every((status) => status === 401)
  await eventually('no gateway accepts it', areRefused, 60_000, 200)
  expect(await answeredBy(readFour, 401)).toEqual([2, 2])
})

test('both ledgers share the load', async () => {
  const { id } = await fixture.merchant.createCheckout({ amount: 5_000 })
  const { base_url: base } = fixture.stack.file.hosts.ke
  const read = (index: number) =>
    ask(`${base}/v1/payments/public/checkouts/${id}`, 15_000, undefined, {
      headers: { 'x-forwarded-for': `203.0.113.${String(index % 250)}` },
    })
  const calls = await risesDuring(
    () => countsOf(ledgers, 'malipo_rpc_seconds'),
    async () => {
      for (let turn = 0; turn < 20; turn++) {
        await Promise.all(Array.from({ length: 20 }, (_, index) => read(index)))
      }
    },
  )
  const all = calls.reduce((sum, count) => sum + count, 0)
  expect(all).toBeGreaterThanOrEqual(400)
  expect(Math.min(...calls)).toBeGreaterThan(all * 0.4)
})

test('a rolling restart under payments fails no request, and each checkout is completed once', async () => {
  const { stack } = fixture
  const report = await rollUnderPayments(stack, { perSecond: 5, rounds: 1 })
  expect(report).toMatchObject({ failed: [], wrong: [] })
  // On a busy machine a request may be on its way just as one of the two gateways ends its idle connections.
  expect(report.resent).toBeLessThanOrEqual(2)
  expect(report.payments).toBeGreaterThan(30)
  expect(await operate(stack.dir, 'audit')).toMatchObject({ isGood: true })
})
