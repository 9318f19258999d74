import { conflict } from '@malipo/kernel/machine'
import { isReceiptSubject, refundMachine, refundStatuses } from './refund'

test('a receipt goes back once: nothing follows a refund that was paid', () => {
  const after = Object.values(refundMachine.paid)
  expect(after.filter((next) => next !== conflict)).toEqual(['paid'])
})

test('is sent only after a second operator agreed', () => {
  const sent = refundStatuses.filter((status) => refundMachine[status].sent === 'submitted')
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
