import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Statements whose changes are never an event: src/domain/payment-event.test.ts says so of each. */
const silent = [
  'assume-sent.ts', // reserved -> submitted
  'due/begin-query.ts', // no status
  'due/claim-due.ts', // no status
  'due/expire-overdue.ts', // to expired
  'start/save-start.ts', // begins as reserved
]

test('a file whose statements move intents writes their events, or is listed as silent', () => {
  const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(?:test|harness)\.ts$/.test(file))
    .filter((file) => !file.startsWith('generated'))
  const textOf = (file: string) => readFileSync(join(__dirname, file), 'utf8')
  const moving = files.filter((file) => /(?:UPDATE|INSERT INTO) intents\b/.test(textOf(file)))
  const writing = moving.filter((file) => /writingEvents\(|query\(writeEvents,/.test(textOf(file)))
  expect(moving.filter((file) => !writing.includes(file)).toSorted()).toEqual(silent)
  for (const file of writing) {
    const text = textOf(file)
    const changes = text.match(/(?:UPDATE|INSERT INTO) intents\b/g) ?? []
    const asides = text.match(/\$\{eventsAreWritten\}/g) ?? []
    expect([file, asides.length]).toEqual([file, changes.length])
  }
})
