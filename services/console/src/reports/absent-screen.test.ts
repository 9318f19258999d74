import { render } from '@malipo/web/html'
import { absentScreen } from './absent-screen'

const report = { kind: 'QUEUE_KIND_PAYMENT_REPORT' } as const
const textOf = (listed: number) =>
  render(absentScreen('mpesa:R1', Array<typeof report>(listed).fill(report)).content)

test('says that nothing waits when fewer reports wait than the ledger lists', () => {
  expect(textOf(49)).toContain('Nothing waits here any more.')
})

test('says that the report may still wait when the ledger may have left it out of its list', () => {
  expect(textOf(50)).toContain('This report may still wait')
  expect(textOf(50)).not.toContain('Nothing waits')
})
