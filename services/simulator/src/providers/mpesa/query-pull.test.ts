import { amina, startSimulator, wallMs, type RunningSimulator } from '../../start.harness'
import { fixture, shapeOf } from './fixtures.harness'

let sim: RunningSimulator
beforeEach(async () => {
  sim = await startSimulator()
})
afterEach(() => sim.stop())

const today = { StartDate: '2026-11-20 14:00:00', EndDate: '2026-11-20 15:00:00' }
const pull = async (fields: Record<string, unknown> = {}) =>
  sim.wire('POST', '/pulltransactions/v1/query', {
    token: await sim.token(),
    body: JSON.stringify({ ...fixture('pull-query-request').body, ...today, ...fields }),
  })

const pay = async (Amount: string, AccountReference: string) => {
  await sim.push({ Amount, AccountReference })
  await sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })
}

test('lists a payment with its receipt and the AccountReference of the push', async () => {
  await pay('150.50', 'A1B2C3D4E5F6')
  const [{ receipt }] = (await sim.control('GET', '/book')).body
  const { status, body } = await pull()
  expect(status).toBe(200)
  expect(body).toEqual({
    ResponseRefID: expect.any(String),
    ResponseCode: '1000',
    ResponseMessage: 'Success',
    Response: [
      [
        {
          transactionId: receipt,
          trxDate: '2026-11-20T11:25:01Z',
          msisdn: 254708374149,
          sender: 'MPESA',
          transactiontype: 'c2b-pay-bill-debit',
          billreference: 'A1B2C3D4E5F6',
          amount: '150.50',
          organizationname: 'Malipo Payments',
        },
      ],
    ],
  })
  const [[recorded]] = fixture('pull-query-answer').body.Response
  expect(shapeOf(body.Response[0][0])).toEqual(shapeOf(recorded))
})

test('answers a period without payments as recorded', async () => {
  const { body } = await pull()
  expect(body).toEqual({
    ...fixture('pull-query-answer-empty').body,
    ResponseRefID: expect.any(String),
  })
})

test('lists a payment in a period that includes its second, and in no earlier or later one', async () => {
  await pay('1', 'A')
  const rows = async (window: Record<string, string>) =>
    (await pull(window)).body.Response[0].length
  expect(await rows({ StartDate: '2026-11-20 14:25:01', EndDate: '2026-11-20 14:25:01' })).toBe(1)
  expect(await rows({ StartDate: '2026-11-20 14:25:02' })).toBe(0)
  expect(await rows({ EndDate: '2026-11-20 14:25:00' })).toBe(0)
})

test('lists payments of the last 48 hours only', async () => {
  const wall = { nowMs: wallMs }
  await sim.stop()
  sim = await startSimulator({}, { now: () => wall.nowMs })
  await pay('1', 'A')
  const rows = async () => (await pull({ StartDate: '2020-01-01 00:00' })).body.Response[0]
  wall.nowMs = wallMs + 48 * 3_600_000
  expect(await rows()).toHaveLength(1)
  wall.nowMs += 1
  expect(await rows()).toHaveLength(0)
})

test('the offset skips this many rows', async () => {
  await pay('1', 'A')
  await pay('2', 'B')
  await pay('3', 'C')
  const [rows] = (await pull({ OffSetValue: 1 })).body.Response
  expect(rows).toMatchObject([{ billreference: 'B' }, { billreference: 'C' }])
})

test('a page has at most a hundred rows', async () => {
  for (let paid = 1; paid <= 101; paid += 1) await pay(String(paid), `A${String(paid)}`)
  expect((await pull()).body.Response[0]).toHaveLength(100)
  expect((await pull({ OffSetValue: '100' })).body.Response[0]).toHaveLength(1)
})

test.each([
  ['nairobi', '2026-11-20T14:25:01+03:00'],
  ['nairobi_as_utc', '2026-11-20T14:25:01Z'],
])('writes times in the form %s when a rule says so', async (code, trxDate) => {
  await sim.control('POST', '/rules', { on: 'pull', effect: { kind: 'lie', code } })
  await pay('30', 'A')
  expect((await pull()).body.Response[0]).toMatchObject([{ trxDate }])
})

test('lists numbers without their calling code when a rule says so', async () => {
  const effect = { kind: 'lie', code: 'national_numbers' }
  await sim.control('POST', '/rules', { on: 'pull', effect })
  await pay('30', 'A')
  expect((await pull()).body.Response[0]).toMatchObject([{ msisdn: 708_374_149 }])
})

test('answers as for a short code that was never registered when a rule says so', async () => {
  await sim.control('POST', '/rules', {
    on: 'pull',
    effect: { kind: 'lie', code: 'not_registered' },
  })
  await pay('30', 'A')
  expect((await pull()).body).toEqual({
    ...fixture('pull-query-answer-not-registered').body,
    ResponseRefID: expect.any(String),
  })
})

describe('with a rule that lists the emptying of the till', () => {
  const lie = () =>
    sim.control('POST', '/rules', { on: 'pull', effect: { kind: 'lie', code: 'till_emptied' } })

  test('lists the emptying before the payments, as recorded, and not in the book', async () => {
    await lie()
    await pay('30', 'A')
    const [rows] = (await pull()).body.Response
    const [[recorded]] = fixture('pull-query-answer-settlement').body.Response
    const { transactiontype, amount } = recorded
    expect(rows).toMatchObject([{ transactiontype, amount }, { billreference: 'A' }])
    expect(shapeOf(rows[0])).toEqual(shapeOf(recorded))
    expect((await sim.control('GET', '/book')).body).toHaveLength(1)
  })

  test('lists the emptying on the first page only', async () => {
    await lie()
    for (let paid = 1; paid <= 100; paid += 1) await pay(String(paid), `A${String(paid)}`)
    const first = (await pull()).body.Response[0]
    expect(first).toHaveLength(100)
    expect(first[99]).toMatchObject({ billreference: 'A99' })
    expect((await pull({ OffSetValue: '100' })).body.Response[0]).toMatchObject([
      { billreference: 'A100' },
    ])
    expect((await pull({ OffSetValue: '101' })).body.Response[0]).toEqual([])
  })
})

test.each([
  [{ StartDate: 'yesterday' }, '400.002.05'],
  [{ EndDate: undefined }, '400.002.05'],
  [{ OffSetValue: '-1' }, '400.002.05'],
  [{ ShortCode: '600000' }, '400.001'],
])('refuses %o with %s', async (fields, errorCode) => {
  const { status, body } = await pull(fields)
  expect(status).toBe(400)
  expect(body.errorCode).toBe(errorCode)
})
