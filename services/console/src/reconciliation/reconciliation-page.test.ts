import { html, render } from '@malipo/web/html'
import { showDifference } from './reconciliation-page'

const shown = (isRead: boolean, differenceMinor: bigint) =>
  render(html`${showDifference({ country: 'ke', isRead, differenceMinor })}`)

test('a difference of 0 is shown as unknown while the day is not read to its end', () => {
  expect(shown(false, 0n)).toBe('unknown')
})

test('a difference is shown as bad at any time, and one of 0 as good once the day is read', () => {
  expect(shown(false, 100n)).toContain('badge bad')
  expect(shown(true, 100n)).toContain('badge bad')
  expect(shown(true, 0n)).toContain('badge good')
})
