import { repositoryDir } from '@malipo/stack/migrate'
import { readSourceTree } from './source-tree'
import { onlyStandingMoments } from './standing-moments'

test('statements of stores compare columns with (SELECT clock_timestamp()), never with clock_timestamp() itself', () => {
  expect(onlyStandingMoments(readSourceTree(repositoryDir))).toEqual([])
})

test.each([
  ['WHERE due_at <= clock_timestamp() LIMIT 1', 1],
  ["WHERE at >= coalesce($1::timestamptz, clock_timestamp() - interval '1 hour')", 1],
  ['WHERE due_at <= (SELECT clock_timestamp())', 0],
  ['SELECT clock_timestamp() AS now', 0],
])('in a store, %s has %d violations; outside of a store, none', (line, places) => {
  const text = `const text = \`\n${line}\``
  const named = onlyStandingMoments([{ path: 'services/ledger/src/a/store/b.ts', text }])
  expect(named).toHaveLength(places)
  expect(onlyStandingMoments([{ path: 'services/ledger/src/a/b.ts', text }])).toEqual([])
})
