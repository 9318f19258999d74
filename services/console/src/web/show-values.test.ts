import { render } from '@malipo/web/html'
import { showAge, showMoment, showMoney, showRail, showText, showWords } from './show-values'

const minuteMs = 60_000

test('shows an age in minutes below an hour, in hours below two days, and then in days', () => {
  const now = 1_000 * minuteMs * 60
  const ago = (minutes: number) => showAge(new Date(now - minutes * minuteMs), now)
  expect([ago(0), ago(59), ago(60), ago(2_879), ago(2_880)]).toEqual([
    ...['0 min', '59 min', '1 h', '47 h', '2 days'],
  ])
})

test('shows money with its currency, a negative amount with a minus sign, and no amount as a dash', () => {
  expect(showMoney({ minor: 150_050n, currency: 'KES' })).toBe('KES\u00a01,500.50')
  expect(showMoney({ minor: -500n, currency: 'KES' })).toBe('−KES\u00a05.00')
  expect(showMoney(undefined)).toBe('–')
})

test('shows a moment in UTC+3, the time zone of both countries', () => {
  const shown = showMoment(new Date('2026-11-24T21:00:00Z'))
  expect(typeof shown === 'string' ? shown : render(shown)).toContain('25 Nov 2026, 00:00:00')
})

test('shows text without characters that would reorder it, words without underscores, and a rail by its name', () => {
  expect(showText('a\u202eb')).toBe('ab')
  expect(showWords('wrong_pin')).toBe('wrong pin')
  expect(showRail('RAIL_MTN_MOMO')).toBe('MTN MoMo')
})
