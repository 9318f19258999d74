import { storedDigest } from './keys'

const key = Buffer.alloc(32, 9)

test('a key has a different digest in each country, and under each pepper', () => {
  const stored = [1, 2].flatMap((pepper) =>
    (['ke', 'ug'] as const).map((country) =>
      storedDigest(Buffer.alloc(32, pepper), country, key).toString('hex'),
    ),
  )
  expect(new Set(stored).size).toBe(4)
  for (const digest of stored) expect(digest).toMatch(/^[0-9a-f]{64}$/)
})
