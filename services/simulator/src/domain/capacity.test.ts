import { capacityOf } from './capacity'

const megabyte = 1_000_000

test('a small heap holds less, so that the book is full before the memory is', () => {
  expect(capacityOf(256 * megabyte)).toEqual({ bookRows: 149_333, requests: 29_538 })
})

test('a large heap holds a million rows, and no more', () => {
  expect(capacityOf(4_000 * megabyte)).toEqual({ bookRows: 1_000_000, requests: 120_000 })
})
