import { isReceiptSubject, refundRules, refundStatuses } from './refund'

test('a receipt goes back once: nothing follows a refund that was paid', () => {
  const after = Object.entries(refundRules).filter(([cell]) => cell.startsWith('refund: paid '))
  expect(after.map(([, next]) => next).filter((next) => next !== 'conflict')).toEqual(['paid'])
})

test('is sent only when somebody agreed', () => {
  const sent = refundStatuses.filter(
    (status) => refundRules[`refund: ${status} sent`] === 'submitted',
  )
  expect(sent).toEqual(['approved', 'submitted'])
})

test.each(['mpesa:QK12345678', 'mtn_momo:23503452', 'airtel_money:MP210603.1234.L06941'])(
  'takes %s for a receipt',
  (subject) => {
    expect(isReceiptSubject(subject)).toBe(true)
  },
)

test.each(['QK12345678', 'mpesa:', ':QK1', "mpesa:' OR 1", 'mpesa:a:b'])(
  'does not take %s',
  (subject) => {
    expect(isReceiptSubject(subject)).toBe(false)
  },
)
