#!/usr/bin/env node
// `npm run stale-fixtures` lists the old sources of the recorded bodies and requests of providers.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const help = `Usage: npm run stale-fixtures [-- OPTIONS]

Lists the sources of recorded bodies and requests that were taken more than a year ago, the oldest first, with how many files rest on
each. Read a source again before you change what rests on it, and put the new day into its files.
  --days N       instead of 365
  --today DAY    instead of today's: 2026-11-24
  --help         this text
`
const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '365' },
    today: { type: 'string', default: new Date().toISOString() },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stdout.write(help)
  process.exit()
}
const until = Date.parse(values.today) - values.days * 86_400_000
if (Number.isNaN(until)) {
  process.stderr.write('--days must be a number, and --today a day: 2026-11-24\n')
  process.exit(2)
}

const repositoryDir = join(dirname(fileURLToPath(import.meta.url)), '../../..')
const sources = new Map()
for (const folder of ['packages/rails/fixtures', 'services/simulator/fixtures'])
  for (const path of readdirSync(join(repositoryDir, folder), { recursive: true }))
    if (path.endsWith('.json')) add(path, join(repositoryDir, folder, path))

const rows = [...sources.values()].sort((one, other) => one.date.localeCompare(other.date))
for (const { date, provider, files, source } of rows)
  process.stdout.write(`${date}  ${provider.padEnd(16)}  ${String(files).padStart(3)}  ${source}\n`)
process.stdout.write(`${rows.length} sources are older than ${values.days} days\n`)

function add(path, file) {
  const { date, source } = JSON.parse(readFileSync(file, 'utf8'))
  if (Date.parse(date) >= until) return
  const key = `${date} ${source}`
  const known = sources.get(key) ?? { date, source, provider: dirname(path), files: 0 }
  sources.set(key, { ...known, files: known.files + 1 })
}
