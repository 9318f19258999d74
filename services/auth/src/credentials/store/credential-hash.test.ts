import {
  type CredentialHasher,
  type CredentialOwner,
  openCredentialHasher,
} from './credential-hash'

const hasher = openCredentialHasher(Buffer.alloc(32, 5))
const owner = { accountId: 'acc_a', purpose: 'pin' } as const

async function isMatch(
  by: CredentialHasher,
  of: CredentialOwner,
  compared: { secret: string; hash: string },
): Promise<boolean> {
  const comparison = await by.compare(of, compared.secret, () => Promise.resolve(compared.hash))
  expect(comparison.storedHash).toBe(compared.hash)
  return comparison.isMatch
}

test('matches a secret with its own hash only', async () => {
  const hash = await hasher.hash(owner, '9274')
  expect(await isMatch(hasher, owner, { secret: '9274', hash })).toBe(true)
  expect(await isMatch(hasher, owner, { secret: '2581', hash })).toBe(false)
})

test('hashes by argon2id with 19 MiB, two passes and one thread, salted', async () => {
  const [one, other] = await Promise.all([1, 2].map(() => hasher.hash(owner, '9274')))
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(one).not.toBe(other)
})

test('does not match a hash that was made with another pepper', async () => {
  const hash = await hasher.hash(owner, '9274')
  const other = openCredentialHasher(Buffer.alloc(32, 6))
  expect(await isMatch(other, owner, { secret: '9274', hash })).toBe(false)
})

test('does not match a hash copied to another account or purpose', async () => {
  const hash = await hasher.hash(owner, '9274')
  expect(await isMatch(hasher, { ...owner, accountId: 'acc_b' }, { secret: '9274', hash })).toBe(
    false,
  )
  expect(await isMatch(hasher, { ...owner, purpose: 'password' }, { secret: '9274', hash })).toBe(
    false,
  )
})

test('matches a letter in each of its Unicode encodings', async () => {
  const hash = await hasher.hash(owner, 'caf\u00e9')
  expect(await isMatch(hasher, owner, { secret: 'cafe\u0301', hash })).toBe(true)
})

test('runs 2 calls, queues 100, and refuses the 103rd', async () => {
  const crowd = await Promise.allSettled(
    Array.from({ length: 103 }, () => hasher.hash(owner, '9274')),
  )
  const refused = crowd.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  expect(refused).toEqual([expect.objectContaining({ reason: 'unavailable' })])
})

test('does not read the stored hash, and so counts no try, for a call that is refused for load', async () => {
  const hash = await hasher.hash(owner, '9274')
  let read = 0
  const readHash = () => {
    read += 1
    return Promise.resolve(hash)
  }
  const crowd = Array.from({ length: 105 }, () => hasher.compare(owner, '2581', readHash))
  const answers = await Promise.allSettled(crowd)
  expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(3)
  expect(read).toBe(102)
})
