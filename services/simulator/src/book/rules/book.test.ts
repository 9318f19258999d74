import { openSpillFile } from '../spill-file'
import { openBook, type NewBookRow } from './book'
import { rowsPerPage } from './pages'

const row = (receipt: string, business = '174379'): NewBookRow => ({
  receipt,
  provider: 'mpesa',
  kind: 'stk_push',
  msisdn: '254708374149',
  business,
  account: 'A1',
  amountMinor: 15_050n,
  reference: 'ws_CO_1',
})

function bookAt(times: readonly number[]) {
  let index = 0
  const book = openBook(() => times[index++] ?? 0, 100, openSpillFile())
  times.forEach((_, place) => book.write(row(`Q${String(place)}`)))
  return book
}

const receipts = (rows: readonly { receipt: string }[]) => rows.map(({ receipt }) => receipt)

test('rows count from 1 and are paged by number', () => {
  const book = bookAt([10, 20, 30])
  expect(book.since(0, 2).map(({ id }) => id)).toEqual([1, 2])
  expect(receipts(book.since(2, 10))).toEqual(['Q2'])
  expect(book.since(3, 10)).toEqual([])
})

test('filters by both ends of a window, skips by an offset, and stops at a limit', () => {
  const book = bookAt([10, 20, 20, 30])
  const window = (fromMs: number, untilMs: number, offset = 0, limit = 100) =>
    receipts(book.between('174379', { fromMs, untilMs, offset, limit }))
  expect(window(10, 30)).toEqual(['Q0', 'Q1', 'Q2', 'Q3'])
  expect(window(20, 20)).toEqual(['Q1', 'Q2'])
  expect(window(11, 29)).toEqual(['Q1', 'Q2'])
  expect(window(31, 99)).toEqual([])
  expect(window(10, 30, 1, 2)).toEqual(['Q1', 'Q2'])
  expect(window(10, 20, 3)).toEqual([])
})

test('a statement lists the rows of one business only', () => {
  const book = openBook(() => 10, 100, openSpillFile())
  book.write(row('Q0', '174379'))
  book.write(row('Q1', '600000'))
  const window = { fromMs: 0, untilMs: 99, offset: 0, limit: 100 }
  expect(receipts(book.between('600000', window))).toEqual(['Q1'])
  expect(book.between('123456', window)).toEqual([])
})

test('keeps times in order when the real clock goes back', () => {
  expect(
    bookAt([20, 10, 30])
      .since(0, 10)
      .map(({ atMs }) => atMs),
  ).toEqual([20, 20, 30])
})

test('the book reports when it is full', () => {
  const book = openBook(() => 10, 1, openSpillFile())
  expect(book.isFull()).toBe(false)
  book.write(row('Q0'))
  expect(book.isFull()).toBe(true)
})

test('reads spilled pages as they were written', () => {
  const count = 3 * rowsPerPage + 7
  const spill = openSpillFile()
  let nowMs = 0
  const book = openBook(() => (nowMs += 1), count, spill)
  const written = Array.from({ length: count }, (_, place) => book.write(row(`Q${String(place)}`)))
  expect(book.since(0, count)).toEqual(written)
  expect(book.since(rowsPerPage - 1, 2)).toEqual(written.slice(rowsPerPage - 1, rowsPerPage + 1))
  const window = { fromMs: rowsPerPage, untilMs: count, offset: rowsPerPage, limit: 2 }
  expect(receipts(book.between('174379', window))).toEqual(['Q1999', 'Q2000'])
  book.close()
})

test('an offset skips the incoming rows of its business alone, and reads no page that it skips whole', () => {
  const spill = openSpillFile()
  let reads = 0
  const counted = {
    ...spill,
    read(place: number, length: number) {
      reads += 1
      return spill.read(place, length)
    },
  }
  let nowMs = 0
  const count = 4 * rowsPerPage + 7
  const book = openBook(() => (nowMs += 1), count, counted)
  const written = Array.from({ length: count }, (_, place) => {
    const kind = place % 7 === 0 ? 'payout' : 'stk_push'
    return book.write({ ...row(`Q${String(place)}`, place % 3 === 0 ? '600000' : '174379'), kind })
  })
  const incoming = written.filter(
    ({ business, kind }) => business === '174379' && kind !== 'payout',
  )
  for (const fromMs of [0, 1, rowsPerPage, rowsPerPage + 1, 1_500]) {
    const listed = receipts(incoming.filter(({ atMs }) => atMs >= fromMs))
    for (const offset of [0, 1, 571, 572, 1_142, 1_143, 2_000, 2_287, 2_400]) {
      const window = { fromMs, untilMs: count, offset, limit: 3 }
      expect(receipts(book.between('174379', window))).toEqual(listed.slice(offset, offset + 3))
    }
  }
  reads = 0
  const last = { fromMs: 0, untilMs: count, offset: 1_800, limit: 3 }
  expect(book.between('174379', last)).toHaveLength(3)
  expect(reads).toBe(1)
  book.close()
})
