import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import {
  isPayBillNumber,
  isSlip,
  payBillNumber,
  payBillNumbers,
  readAccountNumber,
  type RoundHash,
  scatter,
  payBillVerdict,
} from './pay-bill'

const keyed =
  (key: string | Buffer): RoundHash =>
  (round, half) =>
    createHmac('sha256', key)
      .update(`${String(round)} ${String(half)}`)
      .digest()
      .readUInt32BE()

const places = fc.nat(payBillNumbers - 1)
const anyNumber = places.map(payBillNumber)

test('a number is CS and eight digits', () => {
  expect(payBillNumber(0)).toBe('CS00000000')
  // The published example of the check digit: 572 and 4.
  expect(payBillNumber(572)).toBe('CS00005724')
})

test('every account number that is given out is recognised as an account number', () => {
  fc.assert(
    fc.property(anyNumber, (number) => {
      expect(number).toMatch(/^CS\d{8}$/)
      expect(isPayBillNumber(number)).toBe(true)
    }),
  )
})

const digits = Array.from('0123456789')
const indexes = [2, 3, 4, 5, 6, 7, 8, 9]

test('row 55: a number with one wrong digit is never the number of another checkout', () => {
  const slipsAt = (number: string, at: number) =>
    digits.map((digit) => number.slice(0, at) + digit + number.slice(at + 1))
  fc.assert(
    fc.property(anyNumber, (number) => {
      const slips = indexes.flatMap((at) => slipsAt(number, at)).filter((slip) => slip !== number)
      expect(slips).toHaveLength(72)
      expect(slips.filter(isPayBillNumber)).toEqual([])
    }),
  )
})

test('row 55: a number with two swapped adjacent digits is never the number of another checkout', () => {
  const swappedAt = (number: string, at: number) => {
    const [one = '', other = ''] = number.slice(at, at + 2)
    return number.slice(0, at) + other + one + number.slice(at + 2)
  }
  fc.assert(
    fc.property(anyNumber, (number) => {
      const slips = indexes.slice(0, -1).map((at) => swappedAt(number, at))
      expect(slips.filter((slip) => slip !== number && isPayBillNumber(slip))).toEqual([])
    }),
  )
})

test.each(['cs12345674', 'CS 1234 5674', 'cs-1234-5674', ' Cs 1234–5674 ', 'C S12345674\t'])(
  'row 56: reads %p as CS12345674',
  (typed) => {
    expect(readAccountNumber(typed)).toBe('CS12345674')
  },
)

test.each(['', 'CS', 'CS1234567', 'CS123456789', '12345674', 'mama.mboga', 'CS1234567x'])(
  'does not take %p for the number of a checkout',
  (typed) => {
    expect(isPayBillNumber(readAccountNumber(typed))).toBe(false)
  },
)

test.each([2, 10, 97, 1_000, 4_096, 10_000])(
  'a permutation gives each of %p places once',
  (size) => {
    const hash = keyed('key')
    const places = Array.from({ length: size }, (_, place) => scatter(place, size, hash))
    expect(new Set(places).size).toBe(size)
    expect(Math.min(...places)).toBe(0)
    expect(Math.max(...places)).toBe(size - 1)
  },
)

test('gives consecutive checkouts numbers that are neither equal nor close', () => {
  fc.assert(
    fc.property(places, fc.uint8Array({ minLength: 8, maxLength: 32 }), (place, key) => {
      const hash = keyed(Buffer.from(key))
      const around = Array.from({ length: 20 }, (_, n) => (place + n) % payBillNumbers)
      const scattered = around.map((near) => scatter(near, payBillNumbers, hash))
      expect(new Set(scattered).size).toBe(20)
      expect(Math.max(...scattered) - Math.min(...scattered)).toBeGreaterThan(1_000_000)
    }),
  )
})

test('the order of the numbers depends on the key', () => {
  const order = (key: string) =>
    Array.from({ length: 20 }, (_, n) => scatter(n, payBillNumbers, keyed(key)))
  expect(order('one')).not.toEqual(order('other'))
  expect(order('one')).toEqual(order('one'))
})

test.each([
  ['CS00005724', false],
  ['CS00005725', true],
  ['CS0000572', false],
  ['CSHOP', false],
  ['M0123456789A', false],
])('whether %s is a number with a wrong check digit: %s', (account, verdict) => {
  expect(isSlip(account)).toBe(verdict)
})

const open = { askedMinor: 50_000n, isWalletOpen: true, isPaid: false }

test.each([
  ['the exact amount', open, 50_000n, 'accepted'],
  ['row 52: less', open, 49_999n, 'wrong_amount'],
  ['row 52: more', open, 50_001n, 'wrong_amount'],
  ['row 50: an account that is paid', { ...open, isPaid: true }, 50_000n, 'unknown_account'],
  ['a frozen wallet', { ...open, isWalletOpen: false }, 50_000n, 'unknown_account'],
  ['row 54: an unknown account', undefined, 50_000n, 'unknown_account'],
])(
  'accepts only the exact amount for an unpaid account with an open wallet: %s',
  (_, target, amountMinor, verdict) => {
    expect(payBillVerdict(target, { amountMinor, isWithinLimits: true })).toBe(verdict)
  },
)

test.each([
  ['within the limits', true, 'accepted'],
  ['outside the limits', false, 'wrong_amount'],
])('a payment to a handle with an amount %s (%p) is %s', (_, isWithinLimits, verdict) => {
  const handle = { ...open, askedMinor: undefined }
  expect(payBillVerdict(handle, { amountMinor: 12_345n, isWithinLimits })).toBe(verdict)
})
