import { table } from './table'

test('prints the smallest, median and greatest ratio, and whether the median meets the goal', () => {
  const rows = [
    { goal: 'L1', what: 'settle', atLeast: 2, ratios: [2.5, 1.9, 2.1] },
    { goal: 'L3', what: 'batches', atLeast: 5, ratios: [4.4, 4, 9] },
  ]
  expect(`\n${table(rows)}\n`).toMatchInlineSnapshot(`
   "
   goal  what     min   median  max   at least
   L1    settle   1.90  2.10    2.50  2.00      met
   L3    batches  4.00  4.40    9.00  5.00      missed
   "
  `)
})
