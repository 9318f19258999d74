import { refundStands } from './refund-stands'

test('a refund is paid without being sent only where it was asked for as done, and fails only when it was sent', () => {
  expect(refundStands().map(String).sort()).toEqual([
    'approved,false',
    'asked,false',
    'failed,true',
    'paid,false',
    'paid,true',
    'submitted,true',
    'withdrawn,false',
  ])
})
