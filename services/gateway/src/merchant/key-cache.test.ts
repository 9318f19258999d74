import { openKeyCache, type VerifyKey } from './key-cache'

const ttlMs = 60_000
const digest = Buffer.alloc(32, 1)

/** A fake key service whose answers the test gives one by one, and a clock that the test sets. */
function setUp() {
  const clock = { atMs: 1_000_000, now: () => clock.atMs }
  const steady = { atMs: 0, now: () => steady.atMs }
  const checks: {
    digest: Buffer
    answer: (account: string | undefined) => void
    fail: () => void
  }[] = []
  const verify: VerifyKey<string> = (digestToCheck) =>
    new Promise((resolve, reject) => {
      checks.push({
        digest: digestToCheck,
        answer: resolve,
        fail: () => {
          reject(new Error('away'))
        },
      })
    })
  const cache = openKeyCache({ verify, ttlMs, clock, steady })
  const pass = (milliseconds: number) => {
    clock.atMs += milliseconds
    steady.atMs += milliseconds
  }
  return { clock, pass, checks, cached: cache.verify, accepted: cache.accepted }
}

test.each(['acc_1', undefined])('caches an answer of %s for 60 seconds', async (account) => {
  const { clock, checks, cached } = setUp()
  const first = cached(digest)
  checks[0]?.answer(account)
  expect(await first).toBe(account)
  clock.atMs += ttlMs - 1
  expect(await cached(digest)).toBe(account)
  expect(checks).toHaveLength(1)
  clock.atMs += 1
  void cached(digest)
  expect(checks).toHaveLength(2)
})

test('counts the 60 seconds from the question, not from the answer', async () => {
  const { clock, checks, cached } = setUp()
  const first = cached(digest)
  clock.atMs += 700
  checks[0]?.answer('acc_1')
  await first
  clock.atMs += ttlMs - 700
  void cached(digest)
  expect(checks).toHaveLength(2)
})

test('does not extend the life of an answer when it is read', async () => {
  const { clock, checks, cached } = setUp()
  const first = cached(digest)
  checks[0]?.answer('acc_1')
  await first
  for (let second = 0; second < 59; second += 1) {
    clock.atMs += 1_000
    await cached(digest)
  }
  clock.atMs += 1_000
  void cached(digest)
  expect(checks).toHaveLength(2)
})

test('does not extend the life of an answer when the clock is set back', async () => {
  const { clock, checks, cached } = setUp()
  const first = cached(digest)
  checks[0]?.answer('acc_1')
  await first
  clock.atMs -= 3_600_000
  void cached(digest)
  expect(checks).toHaveLength(2)
})

test('does not extend the life of an answer when the clock is set back by less than its age', async () => {
  const { clock, pass, checks, cached } = setUp()
  const first = cached(digest)
  checks[0]?.answer('acc_1')
  await first
  pass(59_000)
  clock.atMs -= 40_000
  await cached(digest)
  expect(checks).toHaveLength(1)
  pass(20_000)
  void cached(digest)
  expect(checks).toHaveLength(2)
})

test('shares one lookup among requests that come while it runs', async () => {
  const { checks, cached } = setUp()
  const answers = Promise.all([cached(digest), cached(digest), cached(Buffer.alloc(32, 1))])
  expect(checks).toHaveLength(1)
  checks[0]?.answer('acc_1')
  expect(await answers).toEqual(['acc_1', 'acc_1', 'acc_1'])
})

test('looks up different keys separately', () => {
  const { checks, cached } = setUp()
  void cached(digest)
  void cached(Buffer.alloc(32, 2))
  expect(checks.map((check) => check.digest[0])).toEqual([1, 2])
})

test('returns an error to all who wait, does not cache it, and looks up again next time', async () => {
  const { checks, cached } = setUp()
  const both = Promise.allSettled([cached(digest), cached(digest)])
  checks[0]?.fail()
  expect((await both).map((result) => result.status)).toEqual(['rejected', 'rejected'])
  const next = cached(digest)
  checks[1]?.answer('acc_1')
  expect(await next).toBe('acc_1')
})

test('looks up again when an answer has expired, and replaces it by the new one', async () => {
  const { clock, checks, cached } = setUp()
  const first = cached(digest)
  checks[0]?.answer('acc_1')
  await first
  clock.atMs += ttlMs
  const second = cached(digest)
  checks[1]?.answer(undefined)
  expect(await second).toBeUndefined()
  expect(await cached(digest)).toBeUndefined()
  expect(checks).toHaveLength(2)
})

test('evicts the oldest refusals first in a flood, and no accepted key', async () => {
  const { checks, cached } = setUp()
  const merchant = cached(digest)
  checks[0]?.answer('acc_1')
  await merchant
  const inventionOf = (index: number) => {
    const invention = Buffer.alloc(32)
    invention.writeUInt32BE(index + 1)
    return invention
  }
  for (let index = 0; index < 3_000; index += 1) {
    const refusal = cached(inventionOf(index))
    checks.at(-1)?.answer(undefined)
    await refusal
  }
  const before = checks.length
  await cached(digest)
  await cached(inventionOf(2_999))
  expect(checks).toHaveLength(before)
  void cached(inventionOf(0))
  expect(checks).toHaveLength(before + 1)
})

test('knows an accepted key without asking, for as long as its answer lives, and no other', async () => {
  const { clock, checks, cached, accepted } = setUp()
  const verdicts = [cached(digest), cached(Buffer.alloc(32, 2))]
  checks[0]?.answer('acc_1')
  checks[1]?.answer(undefined)
  await Promise.all(verdicts)
  expect(accepted(digest)).toBe('acc_1')
  expect(accepted(Buffer.alloc(32, 2))).toBeUndefined()
  expect(accepted(Buffer.alloc(32, 3))).toBeUndefined()
  clock.atMs += ttlMs
  expect(accepted(digest)).toBeUndefined()
  expect(checks).toHaveLength(2)
})
