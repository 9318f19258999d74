import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryDir } from '../migrate'
import { newestDetachable, retention, type Retention } from './retention'

const read = (file: string) => readFileSync(join(repositoryDir, file), 'utf8')

/** A row of the table in docs/retention.md. */
function rowOf([table, { kept, because }]: [string, Retention]): string {
  const how =
    typeof kept === 'string'
      ? kept
      : `${kept.what} are detached by month after ${String(kept.days)} days`
  return `| \`${table}\` | ${how} | ${because} |`
}

test('each table of a ledger says how long its rows are kept, and why', () => {
  const schema = read('services/ledger/prisma/schema.prisma')
  const tables = [...schema.matchAll(/@@map\("([a-z_]+)"\)/g)].map(([, table]) => table)
  expect(Object.keys(retention)).toEqual(tables.toSorted())
})

test('docs/retention.md has the same table', () => {
  const rows = read('docs/retention.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  expect(rows).toEqual(Object.entries(retention).map(rowOf))
})

test('nothing that makes a payment unique, and no money, is ever detached', () => {
  const never = [
    'checkouts',
    'intents',
    'idempotency_keys',
    'transfers',
    'wire_attempts',
    'refunds',
  ]
  expect(never.filter((table) => retention[table]?.kept !== 'forever')).toEqual([])
})

test.each([
  ['2026-11-29T23:59:59Z', '2026-07'],
  ['2026-11-30T00:00:00Z', '2026-08'],
  ['2027-01-05T00:00:00Z', '2026-09'],
  ['2026-03-31T00:00:00Z', '2025-11'],
  ['2026-04-01T00:00:00Z', '2025-12'],
])('the newest month that may be detached at %s is %s', (now, month) => {
  expect(newestDetachable(new Date(now))).toBe(month)
})
