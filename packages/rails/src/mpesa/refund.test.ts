import { recorded } from './recorded.harness'
import { readMpesaRefund } from './refund'

const providerRequestId = 'f1e2-4b95-a71d-b30d3cdbb7a7735297'

test.each([
  [
    'reversal-result-reversed',
    { kind: 'confirmed', receipt: 'UKK9RT61SZ', amountMinor: 100n, providerRequestId },
  ],
  ['reversal-result-already', { kind: 'confirmed', receipt: 'UKK9RT61SZ', providerRequestId }],
  [
    'reversal-result-wrong-operator',
    { kind: 'declined', cause: 'refused', providerCode: '2001', providerRequestId },
  ],
  ['reversal-result-unknown-code', { kind: 'undecided', providerCode: '777', listed: false }],
  ['callback-paid', { kind: 'unreadable', detail: 'not a result of an operation' }],
])('reads the verdict %s', (name, fact) => {
  expect(readMpesaRefund('callback', recorded(name).body)).toEqual(fact)
})

test.each([
  // The receipt is that of the payment itself, which the ledger knows.
  ['status-result-completed', { kind: 'confirmed', receipt: 'UKK1RT61SV', amountMinor: 100n }],
  ['status-result-reversed', { kind: 'confirmed', amountMinor: 100n }],
  ['reversal-result-wrong-operator', { kind: 'undecided', providerCode: '2001', listed: true }],
  ['callback-malformed-cut-off', { kind: 'unreadable', detail: 'not a result of an operation' }],
])('reads the answer to a status query %s', (name, fact) => {
  expect(readMpesaRefund('query_answer', recorded(name).body)).toEqual(fact)
})

/** The recorded answer about a completed payment, with `item` in place of its receipt. */
function completedWith(item: string): Buffer {
  const named = /\{"Key":"ReceiptNo","Value":"UKK1RT61SV"\},/
  const text = Buffer.from(recorded('status-result-completed').body).toString('utf8')
  const body = Buffer.from(text.replace(named, item))
  expect(body).not.toHaveLength(text.length)
  return body
}

test.each([
  ['no receipt', ''],
  ['a receipt without its value', '{ "Key": "ReceiptNo" },'],
  ['an empty receipt', '{ "Key": "ReceiptNo", "Value": "" },'],
  ['a receipt of another shape', '{ "Key": "ReceiptNo", "Value": "ukk1rt61sv" },'],
])(
  'the answer "completed" with %s is undecided, because it may mean the payment and not the reversal',
  (_, item) => {
    const fact = { kind: 'undecided', providerCode: 'Completed', listed: false }
    expect(readMpesaRefund('query_answer', completedWith(item))).toEqual(fact)
  },
)

test('reads a receipt without the blank behind it', () => {
  const body = completedWith('{ "Key": "ReceiptNo", "Value": "UKK1RT61SV " },')
  expect(readMpesaRefund('query_answer', body)).toMatchObject({ receipt: 'UKK1RT61SV' })
})
