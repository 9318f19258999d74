import { cellOf } from '@malipo/kernel/cells'
import { countries } from '@malipo/kernel/countries'
import { isCheckoutId, isIntentId } from '@malipo/kernel/ids'
import fc from 'fast-check'
import {
  attemptReference,
  callbackToken,
  newId,
  randomBytesPerId,
  readCallbackToken,
  readRefundToken,
  refundToken,
} from './ids'

const moment = fc.integer({ min: 0, max: 4_000_000_000_000 })
const random = fc
  .uint8Array({ minLength: randomBytesPerId, maxLength: 16 })
  .map((bytes) => Buffer.from(bytes))

test('ids have the shapes of the interface, at any time and with any randomness', () => {
  fc.assert(
    fc.property(moment, random, (atMs, bytes) => {
      expect(newId(countries.ke.checkoutIdPrefix, atMs, bytes)).toMatch(/^cs_ke_/)
      expect(isCheckoutId(newId(countries.ug.checkoutIdPrefix, atMs, bytes))).toBe(true)
      expect(isIntentId(newId('pi_', atMs, bytes))).toBe(true)
      // BullMQ takes no job ids of digits only.
      expect(newId('pm_', atMs, bytes)).toMatch(/^pm_[0-9a-f]{24}$/)
    }),
  )
})

test('ids of the same minute share a prefix, and the rest is random', () => {
  const bytes = (fill: number) => Buffer.alloc(randomBytesPerId, fill)
  const first = newId('pi_', 1_700_000_000_000, bytes(0x11))
  const second = newId('pi_', 1_700_000_000_001, bytes(0xee))
  expect(second.slice(0, 6)).toBe(first.slice(0, 6))
  expect(second.slice(6)).not.toBe(first.slice(6))
  expect(newId('pi_', 1_700_000_060_000, bytes(0x11)).slice(0, 6)).not.toBe(first.slice(0, 6))
})

test.each([0, 1, 255])(
  'an id of cell %i begins with the number of the cell, and then has the minute',
  (cell) => {
    fc.assert(
      fc.property(moment, random, (atMs, bytes) => {
        const id = newId(countries.ke.checkoutIdPrefix, atMs, bytes, cell)
        expect([isCheckoutId(id), cellOf(id)]).toEqual([true, cell])
        expect(id.slice(8, 11)).toBe(newId(countries.ke.checkoutIdPrefix, atMs, bytes).slice(6, 9))
      }),
    )
  },
)

test('a reference fits the provider and never looks like a Pay Bill number', () => {
  fc.assert(
    fc.property(random, (bytes) => {
      const reference = attemptReference(bytes)
      expect(reference).toMatch(/^M[0-9A-HJKMNP-TV-Z]{11}$/)
      expect(reference).not.toMatch(/^CS\d{8}$/)
    }),
  )
})

test('a callback token is hex, and is read back into its attempt and secret', () => {
  fc.assert(
    fc.property(moment, random, (atMs, bytes) => {
      const id = newId('pi_', atMs, bytes)
      const secret = 'ab'.repeat(16)
      expect(readCallbackToken(callbackToken(id, secret))).toEqual({ intentId: id, secret })
    }),
  )
})

test.each(['', 'ab', 'g'.repeat(56), 'A'.repeat(56), 'a'.repeat(55), 'a'.repeat(57)])(
  '"%s" is no callback token',
  (token) => {
    expect(readCallbackToken(token)).toBeUndefined()
  },
)

test.each(['callback', 'query_answer'] as const)(
  'the token of a refund for its %s is never read as the token of an attempt',
  (kind) => {
    const id = newId('rf_', 0, Buffer.alloc(11, 0xab))
    const token = refundToken(id, 'c'.repeat(32), kind)
    expect(readRefundToken(token)).toEqual({ refundId: id, secret: 'c'.repeat(32), kind })
    expect(readCallbackToken(token)).toBeUndefined()
    expect(readRefundToken(token.slice(0, -2))).toBeUndefined()
  },
)
