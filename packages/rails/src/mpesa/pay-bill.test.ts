import {
  readNoPayment,
  readPayBill,
  readPayBillQuestion,
  typedHandle,
  validationAnswer,
} from './pay-bill'
import { recorded } from './recorded.harness'

const paid = {
  kind: 'pay_bill_paid',
  receipt: 'UKK4RT61SY',
  amountMinor: 15_050n,
  accountNumber: 'CS12345674',
  paidAt: new Date('2026-11-20T11:25:25Z'),
  phone: '2547 ***** 149',
}

const hash = '01d0e2f3e7c4c5d7b6f5b1b58ff6e5b7d5ef2d7b62bd8d2dd90a2aa50ed8b3a4'

test.each([
  ['c2b-confirmation-masked', paid],
  ['c2b-confirmation-hashed', { ...paid, phone: hash }],
  ['c2b-confirmation-with-third-party-id', { ...paid, thirdPartyId: '5b1d2c7a90e84f36' }],
  ['c2b-confirmation-typed-loosely', { ...paid, accountNumber: 'cs 1234-5674' }],
  ['c2b-confirmation-comma', { kind: 'unreadable', detail: 'paid, without an amount' }],
])('row 64: reads %s as it came', (name, fact) => {
  expect(readPayBill('callback', recorded(name).body)).toEqual(fact)
})

const bodyOf = (changes: object) =>
  Buffer.from(
    JSON.stringify({ TransID: 'UKK4RT61SY', TransAmount: '500', BillRefNumber: 'x', ...changes }),
  )

test.each([
  ['500', 50_000n],
  ['500.00', 50_000n],
  ['500.5', 50_050n],
  [500, 50_000n],
])('row 59: reads the amount %p', (TransAmount, amountMinor) => {
  expect(readPayBill('callback', bodyOf({ TransAmount }))).toMatchObject({ amountMinor })
})

test.each(['5,00', '1,000', '-5', '0', '0.00', '5.001', ' 5', '5e2', '', '٥'])(
  'row 59: calls a payment of the amount %p unreadable',
  (TransAmount) => {
    expect(readPayBill('callback', bodyOf({ TransAmount })).kind).toBe('unreadable')
  },
)

test.each([
  ['no receipt', { TransID: '' }],
  ['a receipt in another shape', { TransID: "UKK4' OR 1" }],
])('calls a payment with %s unreadable', (_, changes) => {
  expect(readPayBill('callback', bodyOf(changes)).kind).toBe('unreadable')
})

test.each(['', '[]', '{"TransID":', 'null'])('calls the body %p unreadable', (body) => {
  expect(readPayBill('callback', Buffer.from(body)).kind).toBe('unreadable')
})

test('cuts a phone to the 64 characters that the ledger stores', () => {
  const fact = readPayBill('callback', bodyOf({ MSISDN: '7'.repeat(300) }))
  expect(fact).toMatchObject({ phone: '7'.repeat(64) })
})

test('row 62: reads a row of the statement as the same payment', () => {
  const row = {
    transactionId: 'UKK4RT61SY',
    trxDate: '2026-11-20T11:25:25Z',
    msisdn: 254708374149,
    billreference: 'CS12345674',
    amount: '150.50',
  }
  expect(readPayBill('statement_row', Buffer.from(JSON.stringify(row)))).toEqual({
    ...paid,
    phone: '254708374149',
  })
})

describe('a row of the statement', () => {
  const { Response: rows } = JSON.parse(
    recorded('pull-query-answer-settlement').body.toString(),
  ) as { Response: [[object, object]] }
  const [[emptying, payment]] = rows
  const rowOf = (row: object) => Buffer.from(JSON.stringify(row))

  test('that empties the till is no payment', () => {
    expect(readPayBill('statement_row', rowOf(emptying)).kind).toBe('unreadable')
    expect(readNoPayment(rowOf(emptying))).toEqual({
      type: 'merchant-to-organization-settlement',
      isKnown: true,
      receipt: 'UKK9RT61T4',
      amount: '22779.95',
      time: '2026-11-20T03:31:04Z',
    })
  })

  test('that empties the till is no payment without a receipt and an amount either', () => {
    const bare = { transactiontype: 'Merchant-To-Organization-Settlement' }
    expect(readNoPayment(rowOf(bare))?.type).toBe(bare.transactiontype)
  })

  test.each(['c2b-buy-goods-debit', 'C2B-PAY-BILL-DEBIT', '', null, undefined])(
    'of the type %p is a payment',
    (transactiontype) => {
      const row = rowOf({ ...payment, transactiontype })
      expect(readNoPayment(row)).toBeUndefined()
      expect(readPayBill('statement_row', row)).toMatchObject({ receipt: 'UKK5RT61SZ' })
    },
  )
})

test.each([
  ['a corrected time', '2026-11-20T11:25:25.000Z', { paidAt: paid.paidAt }],
  ['a time that could not be corrected', null, {}],
])(
  'a row of the statement with %s is not paid at the time that Pull wrote',
  (_, malipoPaidAt, time) => {
    const row = { transactionId: 'UKK4RT61SY', trxDate: '2026-11-20T14:25:25Z', amount: '150.50' }
    const body = Buffer.from(JSON.stringify({ ...row, malipoPaidAt }))
    const { receipt, amountMinor, kind } = paid
    expect(readPayBill('statement_row', body)).toEqual({
      ...{ kind, receipt, amountMinor, accountNumber: '' },
      ...time,
    })
  },
)

test.each([
  [708374149, '254708374149'],
  ['0708374149', '254708374149'],
  ['110374149', '254110374149'],
  [254708374149, '254708374149'],
  ['2547 ***** 149', '2547 ***** 149'],
  [hash, hash],
  [72200000, '72200000'],
])('a row of the statement with the phone %p is from %p', (msisdn, phone) => {
  const row = { transactionId: 'UKK4RT61SY', msisdn, amount: '150.50' }
  expect(readPayBill('statement_row', Buffer.from(JSON.stringify(row)))).toMatchObject({ phone })
})

test('a query answer is unreadable, because Pay Bill payments have no status query', () => {
  expect(readPayBill('query_answer', bodyOf({})).kind).toBe('unreadable')
})

test('reads Daraja’s validation request, which comes before the money moves', () => {
  expect(readPayBillQuestion(recorded('c2b-validation').body)).toEqual({
    receipt: 'UKK4RT61SY',
    amountMinor: 15_050n,
    accountNumber: 'CS12345674',
  })
  expect(readPayBillQuestion(Buffer.from('{}'))).toBeUndefined()
})

test.each([
  ['accepted', { ResultCode: '0', ResultDesc: 'Accepted', ThirdPartyTransID: '5b1d' }],
  ['unknown_account', { ResultCode: 'C2B00012', ResultDesc: 'Rejected' }],
  ['wrong_amount', { ResultCode: 'C2B00013', ResultDesc: 'Rejected' }],
  ['unreadable', { ResultCode: 'C2B00016', ResultDesc: 'Rejected' }],
] as const)('answers a validation with the code for %s', (verdict, answer) => {
  expect(validationAnswer(verdict, '5b1d')).toEqual(answer)
})

test.each([
  ['mama.mboga', 'mama.mboga'],
  [' Mama-Mboga ', 'Mama-Mboga'],
  ['cs1234567', 'cs1234567'],
  ['CS12345674', undefined],
  ['cs12345674', undefined],
  ['mama mboga', undefined],
  ['', undefined],
  ['a'.repeat(65), undefined],
])('row 57: reads the typed account %p as the handle %p', (account, handle) => {
  expect(typedHandle(account)).toBe(handle)
})
