import { html, render } from '@malipo/web/html'
import { showDifference } from './reconciliation-page'

const shown = (isRead: boolean, differenceMinor: bigint) =>
  render(html`${showDifference({ country: 'ke', isRead, differenceMinor })}`)

test('a day that is not read to its end has an unknown difference, not an even one', () => {
  expect(shown(false, 0n)).toBe('unknown')
})

test('a difference is bad whether or not the day is read, and none is good once it is', () => {
  expect(shown(false, 100n)).toContain('badge bad')
  expect(shown(true, 100n)).toContain('badge bad')
  expect(shown(true, 0n)).toContain('badge good')
})
