import { render } from '@malipo/web/html'
import { showAge, showMoment, showMoney, showRail, showText, showWords } from './show-values'

const minuteMs = 60_000

test('shows an age in the unit that says most', () => {
  const now = 1_000 * minuteMs * 60
  const ago = (minutes: number) => showAge(new Date(now - minutes * minuteMs), now)
  expect([ago(0), ago(59), ago(60), ago(2_879), ago(2_880)]).toEqual([
    ...['0 min', '59 min', '1 h', '47 h', '2 days'],
  ])
})

test('shows money with its currency, and a minus that is read as one', () => {
  expect(showMoney({ minor: 150_050n, currency: 'KES' })).toBe('KES\u00a01,500.50')
  expect(showMoney({ minor: -500n, currency: 'KES' })).toBe('−KES\u00a05.00')
  expect(showMoney(undefined)).toBe('–')
})

test('shows moments of both countries in their one time zone', () => {
  const shown = showMoment(new Date('2026-11-24T21:00:00Z'))
  expect(typeof shown === 'string' ? shown : render(shown)).toContain('25 Nov 2026, 00:00:00')
})

test('drops characters that would reorder what an operator reads', () => {
  expect(showText('a\u202eb')).toBe('ab')
  expect(showWords('wrong_pin')).toBe('wrong pin')
  expect(showRail('RAIL_MTN_MOMO')).toBe('MTN MoMo')
})
