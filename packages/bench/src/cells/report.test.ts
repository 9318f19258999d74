import type { Measured } from '../chain/measure'
import { tableOfCells } from './report'

const measured = (pace: number, processorMs: Readonly<Record<string, number>>): Measured => ({
  ...{ pace, processorMs, p50Ms: 0, p99Ms: 0 },
})

test('puts the processes of a service in all cells together, and shows the median of the rounds', () => {
  const one = measured(50, { 'ledger-ke': 6, 'ledger-ug': 0, postgres: 4 })
  const two = measured(40, { 'ledger-ke': 4, 'ledger-ke-cell-1': 3, postgres: 4 })
  const slow = measured(10, { 'ledger-ke': 60, postgres: 40 })
  const lines = tableOfCells([
    { one, two },
    { one, two },
    { one: slow, two: slow },
  ]).split('\n')
  expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
    ['processor ms a payment', 'one cell', 'two cells', 'two / one'],
    ['ledger', '6.00', '7.00', '1.17'],
    ['postgres', '4.00', '4.00', '1.00'],
    ['all', '10.00', '11.00', '1.10'],
    ['payments a second', '50.00', '40.00', '0.80'],
  ])
})
