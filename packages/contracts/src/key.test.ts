import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { buildKey, digestKey, isPossibleKey, keyRandomBytes, modeOfKey } from './key'

const checkSecret = Buffer.alloc(32, 7)
const key = buildKey('test', Buffer.alloc(keyRandomBytes, 0xa5), checkSecret)

test('a key has the shape of the interface: prefix, mode and 52 characters of base32', () => {
  for (const mode of ['test', 'live'] as const) {
    const built = buildKey(mode, randomBytes(keyRandomBytes), checkSecret)
    expect(built).toMatch(new RegExp(`^mkp_${mode}_[A-Z2-7]{52}$`))
    expect(modeOfKey(built)).toBe(mode)
    expect(isPossibleKey(built, mode, checkSecret)).toBe(true)
  }
})

test('the same random bytes make the same key, with each part at the place that the format gives it', () => {
  expect(key.slice(0, 49)).toBe('mkp_test_UWS2LJNFUWS2LJNFUWS2LJNFUWS2LJNFUWS2LJNF')
  expect(decodeBase32(key.slice(49, 55))).toBe(crc32(key.slice(0, 49)) >>> 2)
})

test.each([
  ['empty', ''],
  ['one character short', key.slice(0, -1)],
  ['one character long', `${key}A`],
  ['lower case', key.toLowerCase()],
  ['a digit outside base32', `${key.slice(0, -1)}1`],
  ['another mode word', key.replace('test', 'demo')],
  ['a line break at the end', `${key}\n`],
])('a text that is %s has no key shape', (_, text) => {
  expect(modeOfKey(text)).toBeUndefined()
  expect(isPossibleKey(text, 'test', checkSecret)).toBe(false)
})

test('detects a change of any one character offline', () => {
  for (let index = 9; index < key.length; index += 1) {
    const other = key[index] === 'A' ? 'B' : 'A'
    const changed = key.slice(0, index) + other + key.slice(index + 1)
    expect(isPossibleKey(changed, 'test', checkSecret)).toBe(false)
  }
})

test("refuses a key of the other mode, also under this mode's prefix", () => {
  expect(isPossibleKey(key, 'live', checkSecret)).toBe(false)
  expect(isPossibleKey(key.replace('test', 'live'), 'live', checkSecret)).toBe(false)
})

test('refuses an invented key with the right checksum', () => {
  const invented = buildKey('test', randomBytes(keyRandomBytes), Buffer.alloc(32, 8))
  expect(isPossibleKey(invented, 'test', checkSecret)).toBe(false)
})

test('refuses to build a key from too few random bytes', () => {
  expect(() => buildKey('test', randomBytes(24), checkSecret)).toThrow(RangeError)
})

test('computes the digest of a key as the SHA-256 of all of it', () => {
  expect(digestKey('abc').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})

function decodeBase32(text: string): number {
  return [...text].reduce(
    (value, letter) => value * 32 + 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter),
    0,
  )
}
