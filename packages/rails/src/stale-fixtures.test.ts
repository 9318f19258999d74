import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const program = join(__dirname, '../bin/stale-fixtures.mjs')
const run = async (...args: readonly string[]) =>
  (await promisify(execFile)(process.execPath, [program, ...args])).stdout.trimEnd().split('\n')

test('lists the sources before a day, the oldest first, with the number of files that rest on each', async () => {
  const [first, ...rest] = await run('--today', '2022-03-02', '--days', '0')
  expect(first).toMatch(/^\d{4}-\d\d-\d\d +\S+ +\d+ +\S/)
  const dates = [first ?? '', ...rest.slice(0, -1)].map((line) => line.slice(0, 10))
  expect(dates).toEqual([...dates].sort())
  expect(dates.every((date) => date < '2022-03-02')).toBe(true)
  expect(rest.at(-1)).toBe(`${String(dates.length)} sources are older than 0 days`)
})

test('lists nothing when every source is younger', async () => {
  expect(await run('--today', '2022-03-02', '--days', '36500')).toEqual([
    '0 sources are older than 36500 days',
  ])
})
