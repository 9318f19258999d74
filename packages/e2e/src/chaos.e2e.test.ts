import { Redis } from 'ioredis'
import { receiptOf, wrongAbout } from './books'
import { type Fixture, openFixture } from './fixture'
import type { Effect } from '@malipo/testing/simulator-shapes'
import type { Simulator } from './simulator'

/** The provider is asked about an unanswered prompt after a second, and the prompt is given up after twenty. */
const hurried = {
  QUERY_AFTER_SECONDS: '1',
  QUERY_EVERY_SECONDS: '1',
  INTENT_DEADLINE_SECONDS: '20',
}
const finalWithinMs = 240_000

interface Moment {
  readonly title: string
  /** How the phone answers the prompt; with `ask` the test answers after the fault. */
  readonly phone: 'ask' | 'approve'
  prepare?(simulator: Simulator, msisdn: string): Promise<unknown>
  reached?(simulator: Simulator, msisdn: string): Promise<void>
}

const moments: readonly Moment[] = [
  { title: 'as the payment begins', phone: 'approve' },
  {
    title: 'while the provider is asked for a prompt',
    phone: 'approve',
    prepare: (simulator, msisdn) =>
      simulator.addRule({ on: 'push', when: { msisdn }, effect: { kind: 'delay', ms: 1_000 } }),
    reached: (simulator, msisdn) => simulator.happened('push_accepted', msisdn),
  },
  {
    title: 'while the phone rings',
    phone: 'ask',
    reached: (simulator, msisdn) => simulator.happened('prompt_opened', msisdn),
  },
  {
    title: 'as the money moves',
    phone: 'approve',
    reached: (simulator, msisdn) => simulator.happened('money_moved', msisdn),
  },
]

const everyMoment = moments.map((moment) => [moment.title, moment] as const)

describe('a payment ends with one consistent outcome', () => {
  let fixture: Fixture

  beforeAll(async () => {
    fixture = await openFixture(hurried)
  })

  afterEach(() => fixture.stack.untilWhole())

  afterAll(() => fixture.close())

  /** Takes one payment through a fault to its end, and returns what is wrong. */
  async function payThrough(moment: Moment, disaster: () => unknown): Promise<string[]> {
    const { merchant, simulator } = fixture
    const payer = fixture.newPayer()
    const { id } = await merchant.createCheckout({ amount: 12_300 })
    const msisdn = await simulator.addPhone(moment.phone)
    await moment.prepare?.(simulator, msisdn)
    const begun = payer.payUntilAnswered(id, msisdn)
    await moment.reached?.(simulator, msisdn)
    await disaster()
    if (moment.phone === 'ask') await simulator.answer(msisdn, 'approve')
    const intentStatus = await payer.untilFinal(await begun, finalWithinMs)
    return wrongAbout(fixture, { checkout: await merchant.readCheckout(id), intentStatus, msisdn })
  }

  const kill = (name: string) => () => {
    fixture.stack.signal(name, 'SIGKILL')
  }

  // The gateway, the keys service and PostgreSQL are killed at one moment here, and at any moment by `npm run chaos`.
  const killed: readonly (readonly [string, readonly Moment[]])[] = [
    ['worker-ke', moments],
    ['ledger-ke', moments],
    ...['gateway-ke', 'keys', 'postgres'].map((name) => [name, moments.slice(1, 2)] as const),
  ]
  describe.each(killed)('rows 25, 26, 44 and 66: with %s killed', (name, at) => {
    test.each(at.map((moment) => [moment.title, moment] as const))('%s', async (_title, moment) => {
      expect(await payThrough(moment, kill(name))).toEqual([])
    })
  })

  describe('row 71: when Redis loses all its data', () => {
    test.each(everyMoment)('%s', async (_title, moment) => {
      const redis = new Redis(fixture.stack.file.redis)
      const flush = () => redis.flushall()
      expect(await payThrough(moment, flush)).toEqual([])
      redis.disconnect()
    })
  })

  describe('rows 70 and 73: when Redis is killed', () => {
    test.each(everyMoment)('%s', async (_title, moment) => {
      expect(await payThrough(moment, kill('redis'))).toEqual([])
    })
  })

  describe('row 74: when Redis stays stopped', () => {
    const freeze = () => {
      fixture.stack.signal('redis', 'SIGSTOP')
    }

    afterEach(() => {
      fixture.stack.signal('redis', 'SIGCONT')
    })

    test.each(everyMoment)('%s', async (_title, moment) => {
      expect(await payThrough(moment, freeze)).toEqual([])
    })

    test('before the payment begins', async () => {
      freeze()
      expect(await payThrough({ title: '', phone: 'approve' }, () => undefined)).toEqual([])
    })
  })

  describe('with the callback', () => {
    const callbackRule = (effect: Effect): Moment => ({
      title: '',
      phone: 'approve',
      prepare: (simulator, msisdn) =>
        simulator.addRule({ on: 'callback', when: { msisdn }, effect }),
    })

    test.each([
      ['dropped', callbackRule({ kind: 'drop' })],
      ['doubled', callbackRule({ kind: 'duplicate', copies: 2, every_ms: 200 })],
      ['sent fifty times at once', callbackRule({ kind: 'duplicate', copies: 50 })],
      ['cut off in the middle', callbackRule({ kind: 'malformed' })],
      [
        'earlier than the answer to the prompt',
        {
          ...callbackRule({ kind: 'delay', ms: 0 }),
          prepare: (simulator: Simulator, msisdn: string) =>
            simulator.addRule({ on: 'push', when: { msisdn }, effect: { kind: 'early' } }),
        },
      ],
    ] as const)('%s', async (_title, moment) => {
      expect(await payThrough(moment, () => undefined)).toEqual([])
    })
  })

  test('after all faults the journal and the provider’s book agree receipt by receipt', async () => {
    const [book, transfers] = await Promise.all([
      fixture.simulator.book(),
      fixture.journal.transfers(),
    ])
    const lines = (rows: readonly { receipt: string; minor: string }[]) =>
      rows.map(({ receipt, minor }) => `${receipt} ${minor}`).sort()
    const posted = transfers.map(({ event_key, minor }) => ({
      receipt: receiptOf(event_key),
      minor,
    }))
    const moved = book.map(({ receipt, amount }) => ({ receipt, minor: amount }))
    expect(lines(posted)).toEqual(lines(moved))
    expect(moved.length).toBeGreaterThan(20)
  })
})
