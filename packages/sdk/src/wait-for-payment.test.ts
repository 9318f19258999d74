import { MalipoConnectionError, MalipoError } from './errors'
import {
  type Answer,
  busy,
  checkout,
  clientOf,
  completed,
  failureOf,
  type Host,
  open,
  withHost,
} from './host.harness'

/** What a wait of `timeoutMs` returns, and how long it took. */
async function waited(host: Host, timeoutMs: number) {
  const startedAt = performance.now()
  const { status } = await clientOf(host).waitForPayment(checkout.id, { timeoutMs })
  return { status, ms: performance.now() - startedAt }
}

const away: Answer = { status: 503 }

test('asks the host to hold the second read, and returns the completed checkout', async () => {
  await withHost([open, completed], async (host) => {
    expect(await waited(host, 300_000)).toMatchObject({ status: 'completed' })
    expect(host.requests.map(({ prefer }) => prefer)).toEqual([undefined, 'wait=60'])
  })
})

test.each<[string, Answer]>([
  ['is unavailable', away],
  ['asks for a pause that is longer than the wait', busy('60')],
  ['is silent', 'silence'],
])('returns the checkout that it has read when the host then %s', async (_what, trouble) => {
  await withHost([open, trouble], async (host) => {
    const { status, ms } = await waited(host, 1_500)
    expect(status).toBe('open')
    expect(ms).toBeLessThan(8_000)
  })
})

test('does not read again before the end of the pause that the host asks for', async () => {
  await withHost([open, busy('60'), completed], async (host) => {
    expect(await waited(host, 1_500)).toMatchObject({ status: 'open' })
    expect(host.requests).toHaveLength(2)
  })
})

test('pauses ever longer where the host asks for no pause', async () => {
  await withHost([open, busy('0')], async (host) => {
    expect(await waited(host, 2_000)).toMatchObject({ status: 'open' })
    expect(host.requests.length).toBeLessThan(10)
  })
})

test('goes on to wait through failed reads', async () => {
  await withHost([open, away, busy('0'), completed], async (host) => {
    expect(await waited(host, 60_000)).toMatchObject({ status: 'completed' })
  })
})

test('throws an error that no retry can fix, also after a successful read', async () => {
  const refused: Answer = {
    status: 401,
    body: { ok: false, code: 2781, description: 'The key is refused', request_id: 'req_1' },
  }
  await withHost([open, refused], async (host) => {
    const { error } = await failureOf(clientOf(host).waitForPayment(checkout.id))
    expect(error).toMatchObject({ code: 2781 })
  })
})

test.each<[string, Answer, new (...args: never[]) => Error]>([
  ['asks for a longer pause', busy('60'), MalipoError],
  ['is silent', 'silence', MalipoConnectionError],
])(
  'throws the error at its deadline when nothing was read and the host %s',
  async (_what, trouble, kind) => {
    await withHost([trouble], async (host) => {
      const waiting = clientOf(host).waitForPayment(checkout.id, { timeoutMs: 1_000 })
      const { error, ms } = await failureOf(waiting)
      expect(error).toBeInstanceOf(kind)
      expect(ms).toBeLessThan(8_000)
      expect(host.requests).toHaveLength(1)
    })
  },
)

test('reads once more at its deadline when the host holds no reads', async () => {
  await withHost([open, open, completed], async (host) => {
    const { status, ms } = await waited(host, 500)
    expect(status).toBe('completed')
    expect(ms).toBeLessThan(4_500)
  })
})

test('pauses for more than five seconds between reads that the host does not hold', async () => {
  await withHost([open], async (host) => {
    expect(await waited(host, 6_000)).toMatchObject({ status: 'open' })
    // The first read asks for no wait, the second for a wait that this host ignores; the third is at the deadline.
    expect(host.requests).toHaveLength(3)
  })
})
