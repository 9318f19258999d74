import { useNock } from '../nock.harness'
import nock from 'nock'
import type { PayBill } from '../rail'
import { openMpesa } from './client'
import { readPayBill } from './pay-bill'
import { lastRow, recorded } from './recorded.harness'
import { baseUrl, settings } from './sandbox-settings.harness'

const startMs = Date.parse('2026-11-20T14:25:01+03:00')
const registerPath = '/mpesa/c2b/v2/registerurl'
const pullPath = '/pulltransactions/v1/query'
const path = 'https://callbacks.example.com/callbacks/c2b/0f4c8a5d2b7e4f1c9a6d3e8b5c2f7a10'
const urls = { validationUrl: `${path}/validation`, confirmationUrl: `${path}/confirmation` }

const events: string[] = []
let nowMs = startMs

useNock()

beforeEach(() => {
  events.length = 0
  nowMs = startMs
  answer('get', '/oauth/v1/generate?grant_type=client_credentials', 'token-answer-number-lifetime')
})

function open(): PayBill {
  const wiring = {
    now: () => nowMs,
    wait: () => Promise.resolve(),
    takeTurn: () => Promise.resolve(0),
    countEvent: (name: string) => events.push(name),
  }
  const { payBill } = openMpesa(settings, wiring)
  if (payBill === undefined) throw new Error('M-Pesa has a Pay Bill menu')
  return payBill
}

test('registers the validation and confirmation addresses exactly as documented', async () => {
  const body = JSON.parse(recorded('c2b-register-request').body.toString()) as Record<
    string,
    string
  >
  nock(baseUrl).post(registerPath, body).reply(200, recorded('c2b-register-answer').body)
  expect(await open().register(urls)).toEqual({ kind: 'registered' })
})

test('takes the answer of a sandbox that has no code for a success', async () => {
  answer('post', registerPath, 'c2b-register-answer-without-code')
  expect(await open().register(urls)).toEqual({ kind: 'registered' })
})

test.each(['c2b-register-error-already', 'c2b-register-error-duplicate'])(
  'reports addresses that were registered before (%s), because production does not say whose they are',
  async (name) => {
    answer('post', registerPath, name)
    expect(await open().register(urls)).toEqual({ kind: 'registered_before' })
  },
)

test('distinguishes a statement that the short code may not read from an unreachable one', async () => {
  const window = { from: new Date(startMs - 600_000), until: new Date(startMs), rowOffset: 0 }
  answer('post', pullPath, 'pull-error-invalid-short-code')
  expect(await open().listPayments(window)).toMatchObject({ kind: 'not_granted' })
  answer('get', '/oauth/v1/generate?grant_type=client_credentials', 'token-answer-number-lifetime')
  nock(baseUrl).post(pullPath).reply(503, '')
  expect(await open().listPayments(window)).toMatchObject({ kind: 'unanswered' })
})

describe('an answer that fits both a short code without payments and one never registered for Pull', () => {
  const window = { from: new Date(startMs - 600_000), until: new Date(startMs), rowOffset: 0 }
  const names = ['pull-query-answer-not-registered', 'pull-query-answer-failed-to-retrieve']
  const nothing = { kind: 'answered', bodies: [] }

  test.each(names)('(%s) is doubtful where no row was ever listed', async (name) => {
    answer('post', pullPath, name)
    answer('post', pullPath, name)
    expect(await open().listPayments(window)).toMatchObject({
      kind: 'doubtful',
      detail: expect.stringContaining('no row in 48 hours') as string,
    })
  })

  test.each(names)('(%s) is the end of the statement where two days have a row', async (name) => {
    const starts: string[] = []
    answer('post', pullPath, name)
    nock(baseUrl)
      .post(pullPath, ({ StartDate }: { StartDate: string }) => starts.push(StartDate) > 0)
      .reply(200, recorded('pull-query-answer').body)
    answer('post', pullPath, name)
    const payBill = open()
    expect(await payBill.listPayments(window)).toEqual(nothing)
    expect(await payBill.listPayments(window)).toEqual(nothing)
    expect(starts).toEqual(['2026-11-18 14:25:01'])
  })

  test('after listed rows it is not the end, as the next page repeats the last row', async () => {
    answer('post', pullPath, 'pull-query-answer')
    answer('post', pullPath, 'pull-query-answer-not-registered')
    answer('post', pullPath, 'pull-query-answer-not-registered')
    const payBill = open()
    const listed = await payBill.listPayments(window)
    expect(listed).toMatchObject({ kind: 'answered', cutOff: 'the offset is not understood' })
    expect(listed.kind === 'answered' && listed.bodies).toHaveLength(3)
    const rest = await payBill.listPayments({ ...window, rowOffset: 3 })
    expect(rest).toMatchObject({ kind: 'unanswered' })
  })

  test('is doubtful an hour after the last row, once two days have no row', async () => {
    answer('post', pullPath, 'pull-query-answer')
    nock(baseUrl).post(pullPath).reply(200, lastRow())
    const payBill = open()
    expect(await payBill.listPayments(window)).toMatchObject({ kind: 'answered' })
    nowMs += 3_600_000
    answer(
      'get',
      '/oauth/v1/generate?grant_type=client_credentials',
      'token-answer-number-lifetime',
    )
    answer('post', pullPath, 'pull-query-answer-not-registered')
    answer('post', pullPath, 'pull-query-answer-not-registered')
    expect(await payBill.listPayments(window)).toMatchObject({ kind: 'doubtful' })
  })

  test('is no grant where the question about two days is refused', async () => {
    answer('post', pullPath, 'pull-query-answer-not-registered')
    answer('post', pullPath, 'pull-error-invalid-short-code')
    expect(await open().listPayments(window)).toMatchObject({ kind: 'not_granted' })
  })

  test('a failure to retrieve is not the end after listed rows', async () => {
    answer('post', pullPath, 'pull-query-answer')
    answer('post', pullPath, 'pull-query-answer-failed-to-retrieve')
    answer('post', pullPath, 'pull-query-answer-failed-to-retrieve')
    const payBill = open()
    expect(await payBill.listPayments(window)).toMatchObject({ nextRowOffset: 3 })
    const rest = await payBill.listPayments({ ...window, rowOffset: 3 })
    expect(rest).toMatchObject({ kind: 'unanswered' })
  })

  test('counts as unanswered while two days cannot be read', async () => {
    answer('post', pullPath, 'pull-query-answer-not-registered')
    answer('post', pullPath, 'any-error-web-firewall')
    expect(await open().listPayments(window)).toMatchObject({ kind: 'unanswered' })
  })
})

test('reads a page whose rows are nested once', async () => {
  const window = { from: new Date(startMs - 600_000), until: new Date(startMs), rowOffset: 0 }
  const page = JSON.parse(recorded('pull-query-answer').body.toString()) as { Response: object[][] }
  for (const Response of [page.Response[0], page.Response[0]?.slice(-1)]) {
    nock(baseUrl)
      .post(pullPath)
      .reply(200, { ...page, Response })
  }
  const listed = await open().listPayments(window)
  expect(listed.kind === 'answered' && listed.bodies).toHaveLength(3)
})

test('lists no payment where M-Pesa answers a window without one by an error', async () => {
  const window = { from: new Date(startMs - 600_000), until: new Date(startMs), rowOffset: 0 }
  answer('post', pullPath, 'pull-error-nothing-found')
  expect(await open().listPayments(window)).toEqual({ kind: 'answered', bodies: [] })
})

test('takes a page of empty texts for one without rows', async () => {
  const window = { from: new Date(startMs - 600_000), until: new Date(startMs), rowOffset: 0 }
  nock(baseUrl)
    .post(pullPath)
    .reply(200, { ResponseCode: '1000', Response: [['']] })
  expect(await open().listPayments(window)).toEqual({ kind: 'answered', bodies: [] })
})

test('does not take a page without rows and with an unknown code for the end of the statement', async () => {
  const window = { from: new Date(startMs - 600_000), until: new Date(startMs), rowOffset: 0 }
  nock(baseUrl)
    .post(pullPath)
    .reply(200, { ResponseCode: '1003', Response: [[]] })
  expect(await open().listPayments(window)).toMatchObject({ kind: 'unanswered' })
})

test('keeps the rows of the pages before a failed page, and returns the offset to go on from', async () => {
  const window = { from: new Date(startMs - 600_000), until: new Date(startMs), rowOffset: 4 }
  answer('post', pullPath, 'pull-query-answer')
  answer('post', pullPath, 'any-error-web-firewall')
  const listed = await open().listPayments(window)
  // The first row of the first page was known, as a further page is asked for from the last known row.
  expect(listed).toMatchObject({ kind: 'answered', nextRowOffset: 6 })
  expect(listed.kind === 'answered' && listed.bodies).toHaveLength(2)
})

test('returns the HTTP status and the code of a refused registration', async () => {
  answer('post', registerPath, 'c2b-register-error-forbidden-word')
  const detail = 'http 400, 400.003.02'
  expect(await open().register(urls)).toEqual({ kind: 'unanswered', detail })
})

test('row 62: lists every payment of a time window, page by page', async () => {
  const requests: object[] = []
  const page = (body: Buffer | object) =>
    nock(baseUrl)
      .post(pullPath, (request: object) => requests.push(request) > 0)
      .reply(200, body)
  page(recorded('pull-query-answer').body)
  page(lastRow())
  const listed = await open().listPayments({
    from: new Date(startMs - 600_000),
    until: new Date(startMs),
    rowOffset: 0,
  })
  const bodies = listed.kind === 'answered' ? listed.bodies : []
  expect(bodies.map((body) => readPayBill('statement_row', body))).toMatchObject([
    { kind: 'pay_bill_paid', receipt: 'UKK1RT61SV', amountMinor: 100n },
    { kind: 'pay_bill_paid', receipt: 'UKK2RT61SW', amountMinor: 15_050n },
    { kind: 'pay_bill_paid', receipt: 'UKK3RT61SX', phone: '2547 ***** 149' },
  ])
  const window = { StartDate: '2026-11-20 14:15:01', EndDate: '2026-11-20 14:25:01' }
  expect(requests).toMatchObject([
    { ...window, ShortCode: '174379', OffSetValue: '0' },
    { ...window, OffSetValue: '2' },
  ])
})

test('reads the same time from three forms that Pull has used, and counts the form whose zone is wrong', async () => {
  const written = ['2026-11-20T11:20:25Z', '2026-11-20T14:20:25+03:00', '2026-11-20T14:20:25Z']
  const rows = written.map((trxDate, place) => ({
    transactionId: `UKK1RT61S${String(place)}`,
    trxDate,
    transactiontype: 'c2b-buy-goods-debit',
    amount: '30',
  }))
  for (const Response of [[rows], [rows.slice(-1)]]) {
    nock(baseUrl).post(pullPath).reply(200, { ResponseCode: '1000', Response })
  }
  const window = { from: new Date(startMs - 600_000), until: new Date(startMs), rowOffset: 0 }
  const listed = await open().listPayments(window)
  const bodies = listed.kind === 'answered' ? listed.bodies : []
  const paidAt = new Date('2026-11-20T11:20:25Z')
  expect(bodies.map((body) => readPayBill('statement_row', body))).toMatchObject(
    written.map(() => ({ paidAt })),
  )
  const kept = bodies.map((body) => JSON.parse(Buffer.from(body).toString()) as { trxDate: string })
  expect(kept.map(({ trxDate }) => trxDate)).toEqual(written)
  expect(events).toEqual(['statement_clock'])
})

test('row 62: returns the next row offset when there are more rows than one call reads', async () => {
  const offsets: string[] = []
  nock(baseUrl)
    .post(pullPath)
    .times(20)
    .reply(200, (_path, { OffSetValue }: { readonly OffSetValue: string }) => {
      offsets.push(OffSetValue)
      const place = BigInt(OffSetValue)
      const rows = [place, place + 1n, place + 2n].map((row) => ({
        transactionId: `R${String(row)}`,
      }))
      return { ResponseCode: '1000', Response: [rows] }
    })
  const window = { from: new Date(startMs - 600_000), until: new Date(startMs), rowOffset: 7 }
  const listed = await open().listPayments(window)
  expect(listed).toMatchObject({ kind: 'answered', nextRowOffset: 7 + 20 * 2 })
  expect(offsets.slice(0, 2)).toEqual(['6', '8'])
})

function answer(method: 'get' | 'post', path: string, name: string): void {
  const { status, body, contentType } = recorded(name)
  nock(baseUrl)[method](path).reply(status, body, { 'content-type': contentType })
}
