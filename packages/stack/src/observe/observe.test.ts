import { labelsOf } from './observe'

test.each([
  ['keys', { job: 'keys' }],
  ['ledger-ke', { job: 'ledger', country: 'ke' }],
  ['gateway-ug-2', { job: 'gateway', country: 'ug' }],
  ['worker-ke-cell-1', { job: 'worker', country: 'ke-cell-1' }],
  ['console-cell-1', { job: 'console' }],
])('labels the metrics of %s with its service and its cell', (process, labels) => {
  expect(labelsOf(process)).toEqual(labels)
})
