import { render } from '@malipo/web/html'
import { absentScreen } from './absent-screen'

const report = { kind: 'QUEUE_KIND_PAYMENT_REPORT' } as const
const closing = { kind: 'QUEUE_KIND_REPORT_CLOSING' } as const

const textOf = (waiting: number) => {
  const queue = { items: [report, closing], totals: [{ ...report, count: waiting }] }
  return render(absentScreen('mpesa:R1', queue).content)
}

test('says that nothing waits when each report that waits is listed, as itself or as its closing', () => {
  expect(textOf(2)).toContain('Nothing waits here any more.')
})

test('says that the report may still wait when more reports wait than are listed', () => {
  expect(textOf(3)).toContain('This report may still wait')
  expect(textOf(3)).not.toContain('Nothing waits')
})
