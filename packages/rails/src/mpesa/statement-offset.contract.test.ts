import { useNock } from '../nock.harness'
import nock from 'nock'
import { z } from 'zod'
import { openMpesa } from './client'
import { readPayBill } from './pay-bill'
import { recorded } from './recorded.harness'
import { baseUrl, settings } from './sandbox-settings.harness'

const startMs = Date.parse('2026-11-20T14:25:01+03:00')
const window = { from: new Date(startMs - 600_000), until: new Date(startMs), rowOffset: 0 }

/** The receipts on a page that is asked for with this offset. */
type PageOf = (offset: number) => readonly string[]

const receiptsOf = (count: number) =>
  Array.from({ length: count }, (_, place) => `UKK${String(place).padStart(7, '0')}`)
const byRows =
  (receipts: readonly string[]): PageOf =>
  (offset) =>
    receipts.slice(offset, offset + 2)

let offsets: number[] = []

useNock()

beforeEach(() => {
  offsets = []
  const { status, body } = recorded('token-answer-number-lifetime')
  nock(baseUrl).get('/oauth/v1/generate?grant_type=client_credentials').reply(status, body)
})

/** A provider whose statement has these pages. */
function openWith(pageOf: PageOf) {
  nock(baseUrl)
    .persist()
    .post('/pulltransactions/v1/query')
    .reply(200, (_path, { OffSetValue }: { readonly OffSetValue: string }) => {
      const offset = z.coerce.number().parse(OffSetValue)
      offsets.push(offset)
      const rows = pageOf(offset).map(rowOf)
      return { ResponseCode: rows.length > 0 ? '1000' : '1001', Response: [rows] }
    })
  const wiring = {
    now: () => startMs,
    wait: () => Promise.resolve(),
    takeTurn: () => Promise.resolve(0),
    countEvent: () => undefined,
  }
  return openMpesa(settings, wiring)
}

const rowOf = (transactionId: string) => ({
  transactionId,
  trxDate: '2026-11-20T14:20:25+03:00',
  transactiontype: 'c2b-pay-bill-debit',
  billreference: 'ABC',
  amount: '30',
})

/** Lists payments, and returns the outcome with the receipts of the rows. */
async function list(pageOf: PageOf, rowOffset = 0) {
  const { payBill } = openWith(pageOf)
  const listed = await payBill?.listPayments({ ...window, rowOffset })
  nock.cleanAll()
  if (listed?.kind !== 'answered') return listed
  const { bodies, ...rest } = listed
  const facts = bodies.map((body) => readPayBill('statement_row', body))
  return { ...rest, receipts: facts.map((fact) => 'receipt' in fact && fact.receipt) }
}

const cutOff = 'the offset is not understood'

test('lists each row once, and asks for each further page from the last row that it knows', async () => {
  const receipts = receiptsOf(4)
  expect(await list(byRows(receipts))).toEqual({ kind: 'answered', receipts })
  expect(offsets).toEqual([0, 1, 2, 3])
})

test.each([0, 1])(
  'asks no more than twice for a statement of %d row, and once for none',
  async (count) => {
    const receipts = receiptsOf(count)
    expect(await list(byRows(receipts))).toEqual({ kind: 'answered', receipts })
    expect(offsets).toEqual(count === 0 ? [0] : [0, 0])
  },
)

test.each<[string, PageOf]>([
  ['answers the same rows whatever the offset', () => receiptsOf(2)],
  ['counts pages', (page) => receiptsOf(6).slice(page * 2, page * 2 + 2)],
  ['counts pages, of which there is one', (page) => receiptsOf(2).slice(page * 2)],
  [
    'counts rows from one',
    (place) =>
      receiptsOf(6)
        .slice(Math.max(place - 1, 0))
        .slice(0, 2),
  ],
])(
  'keeps the rows of the first page and reads no further where a provider %s',
  async (_, pageOf) => {
    expect(await list(pageOf)).toEqual({ kind: 'answered', receipts: receiptsOf(2), cutOff })
    expect(offsets).toEqual([0, 1])
  },
)

test('is unanswered when a call continues at an offset where the provider has no row', async () => {
  expect(await list((page) => receiptsOf(300).slice(page * 100, page * 100 + 100), 100)).toEqual({
    kind: 'unanswered',
    detail: cutOff,
  })
})

test('lists a row that is added between two pages', async () => {
  const receipts = receiptsOf(5)
  const growing: PageOf = (offset) => byRows(receipts.slice(0, 2 + offsets.length))(offset)
  expect(await list(growing)).toEqual({ kind: 'answered', receipts })
})

test('cuts the listing off when a row has moved, so that it is read again', async () => {
  const receipts = receiptsOf(3)
  const shifted: PageOf = (offset) =>
    byRows(offset === 0 ? receipts : ['LATE', ...receipts])(offset)
  expect(await list(shifted)).toMatchObject({ receipts: receiptsOf(2), cutOff })
})

test('does not say that an attempt has no row where the offset is not understood', async () => {
  const rail = openWith(() => receiptsOf(2))
  const search = { attemptReference: 'A1B2C3D4E5F6', submittedAt: new Date(startMs) }
  expect(await rail.findInStatement(search)).toEqual({ kind: 'unanswered', detail: cutOff })
  nock.cleanAll()
})
