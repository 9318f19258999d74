import { moveText } from './wallet-moves'

const text = (move: Parameters<typeof moveText>[0]['move'], provider: string | null = 'mpesa') =>
  moveText({ move, provider })

test('explains frozen money, and what happens next', () => {
  const { why } = text('frozen')
  expect(why).toContain('M-PESA reported this payment, and its statement does not show it')
  expect(why).toContain('It comes back by itself')
  expect(why).toContain('You need do nothing')
})

test('does not show money as frozen that was frozen and came back', () => {
  expect(text('unfrozen').why).toContain('came back to your wallet')
  expect(text('returned').why).toContain('is confirmed')
})

test('adds no explanation to an ordinary payment', () => {
  expect(text('received')).toEqual({ what: 'Money in', why: undefined })
})
